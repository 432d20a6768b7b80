/**
 * What a client of the embedded database needs. To start the database, see ensure-owner.ts, which must stay out of the
 * web bundle.
 */
export { withNamedStatements } from "./named-statements.ts";
export { embeddedConnectionOptions } from "./socket.ts";
