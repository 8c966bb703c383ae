/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer } from "./shared.js";

export interface AccountsPaths<Decimal = number> {
    "/api/v1/account": {
        /** List all accounts. All accounts of the client, closed and blocked ones too. */ get: AccountsOperations<Decimal>["listAccounts"];
    };
}

export interface AccountsOperations<Decimal = number> {
    listAccounts: { responses: Answer<AccountsSchemas<Decimal>["Account"][]> };
}

export interface AccountsSchemas<Decimal = number> {
    /** An account of the client */
    Account: {
        /** Number of the account, 12 digits */ account_number: number;
        /** Currency of the account */ currency: string;
        /** Turn of the account in Auto Book FX, the lowest first; 0: not used for it */ auto_bookfx_sequence: number;
        /** Whether the account can be used */ active: boolean;
        /** Whether it is the default account of its currency */ default: boolean;
        /** Label of the account; may be empty */ label: string;
    };
}
