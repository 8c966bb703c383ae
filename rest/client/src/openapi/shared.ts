/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */

/** A body of JSON. */
export interface Json<Body> { content: { "application/json": Body } }
export interface Answer<Body> { 200: Json<Body> }
/** Parameters of many operations. */
export interface SharedParameters {
    /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
    from?: string;
    /** Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
    to?: string;
    /** How many on a page, at most; 50 when absent. May differ from page to page */
    limit?: number;
    /** next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
    cursor?: string;
    /** The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
    "If-Match"?: string;
}
