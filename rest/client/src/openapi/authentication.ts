/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer } from "./shared.js";

export interface AuthenticationPaths<Decimal = number> {
    "/api/v1/authentication": {
        /** Get a token. Issues a token of 24 hours for a client key and its secret. Earlier tokens remain valid. Five wrong secrets from one address lock the key there for 15 minutes. Instead of `client_key` and `client_secret`, whose underscores some proxies drop, send `client-key` and `client-secret`, or HTTP Basic. */
        post: AuthenticationOperations<Decimal>["authenticate"];
    };
    "/api/v1/authentication/revoke": {
        /** Revoke a token, or all tokens of a key. With `authorization: Bearer <token>`: revokes that token. With a client key and its secret instead: revokes all live tokens of that key, which stays valid. The tokens are rejected everywhere within two seconds, and the FIX streams that use them end. Instead of `client_key` and `client_secret`, whose underscores some proxies drop, send `client-key` and `client-secret`, or HTTP Basic. */
        post: AuthenticationOperations<Decimal>["revokeTokens"];
    };
}

export interface AuthenticationOperations<Decimal = number> {
    authenticate: {
        parameters: {
            header: {
                /** Client key, as issued */ client_key: string;
                /** Secret of this key */ client_secret: string;
            };
        };
        responses: Answer<AuthenticationSchemas<Decimal>["Token"]>;
    };
    revokeTokens: {
        parameters: {
            header?: {
                /** Client key, as issued */ client_key?: string;
                /** Secret of this key */ client_secret?: string;
            };
        };
        responses: Answer<AuthenticationSchemas<Decimal>["RevokedTokens"]>;
    };
}

export interface AuthenticationSchemas<Decimal = number> {
    /** A token of the client */
    Token: {
        /** To be sent as `authorization: Bearer <token>` */ token: string;
        /** When the token expires, 24 hours after it was issued (date-time) */ expires_at: string;
    };
    /** What was revoked */
    RevokedTokens: {
        /** Always `revoked` */ status: string;
        /** Number of tokens revoked */ tokens_revoked: number;
    };
}
