import type { Sql, TransactionSql } from "postgres";

/** A statement with more parameters is often one of many variants, such as an insert of many rows. */
const PARAMETERS_MAX = 40;
const CHARACTERS_MAX = 8_000;
/** The database keeps each in memory, once for each connection. */
const STATEMENTS_MAX = 300;

/**
 * A client that names the statements with parameters, so that the database parses each only once. After that a
 * statement takes one round trip instead of two. The client must have the option `prepare`.
 * @param named the texts of the statements that have a name
 */
export function withNamedStatements<Client extends Sql | TransactionSql>(
  client: Client,
  named = new Set<string>(),
): Client {
  return new Proxy<Client>(client, {
    get(target: object, property) {
      const member = Reflect.get(target, property);
      if (property === "unsafe") {
        return (text: string, parameters: unknown[] = [], options: object = {}) =>
          member(text, parameters, { ...options, prepare: takesName(named, text, parameters.length) });
      }
      if (property === "begin" || property === "savepoint") {
        return (...given: unknown[]) => member(...given.map((each) => inTransaction(each, named)));
      }
      return member;
    },
  });
}

/** The work of a transaction, with a client that names statements; other arguments unchanged. */
function inTransaction(argument: unknown, named: Set<string>): unknown {
  if (typeof argument !== "function") return argument;
  return (inner: TransactionSql) => argument(withNamedStatements(inner, named));
}

function takesName(named: Set<string>, text: string, parameters: number): boolean {
  if (parameters === 0 || parameters > PARAMETERS_MAX || text.length > CHARACTERS_MAX) return false;
  if (named.size < STATEMENTS_MAX) named.add(text);
  return named.has(text);
}
