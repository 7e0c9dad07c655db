import PostgreSQL

/// The tables of a hub in PostgreSQL 13 or later.
enum HubDatabaseSchema {
  static let version = 4

  /// Migrates the schema. A published migration is frozen: a change is a new one, with the next number.
  static func migrate(_ connection: PostgreSQLConnection, from version: Int) throws(PostgreSQLFailure) {
    if version < 1 { try connection.run(first) }
    if version < 2 { try connection.run(second) }
    if version < 3 { try connection.run(third) }
    if version < 4 { try connection.run(fourth) }
    try connection.run("UPDATE hub SET schema = \(Self.version)")
  }

  /// Migration 1: the first tables.
  private static let first = """
    CREATE TABLE hub (one boolean PRIMARY KEY DEFAULT true CHECK (one), schema int NOT NULL, uid uuid NOT NULL);
    -- The last id that was given, in all feeds. Ids are given under a lock only.
    CREATE SEQUENCE place;
    CREATE TABLE feed (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
      title text NOT NULL, public boolean NOT NULL, keep_days int NOT NULL);
    CREATE TABLE token (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
      hash bytea NOT NULL, admin boolean NOT NULL DEFAULT false, link boolean NOT NULL DEFAULT false, person int,
      made timestamptz NOT NULL, expires timestamptz, revoked timestamptz, used timestamptz);
    CREATE TABLE token_feed (token int REFERENCES token ON DELETE CASCADE, feed int REFERENCES feed ON DELETE CASCADE,
      reads boolean NOT NULL, publishes boolean NOT NULL, PRIMARY KEY (token, feed));
    CREATE INDEX token_feed_feed ON token_feed (feed);
    -- The text of an item is sent as it stands: jsonb would change the order of its keys, and its numbers.
    CREATE TABLE item (id bigint PRIMARY KEY, first_id bigint NOT NULL, feed int NOT NULL REFERENCES feed ON DELETE CASCADE,
      key text NOT NULL, body text NOT NULL, hash bytea NOT NULL, published timestamptz NOT NULL,
      changed timestamptz NOT NULL, expires timestamptz, live boolean NOT NULL DEFAULT true, token int);
    CREATE INDEX item_live ON item (feed, id) WHERE live;
    CREATE INDEX item_expires ON item (expires) WHERE live;
    CREATE INDEX item_over ON item (expires) WHERE NOT live;
    CREATE UNIQUE INDEX item_key ON item (feed, key);
    CREATE INDEX item_feed ON item (feed, id);
    -- Without a key until its time comes where the publisher gave none.
    CREATE TABLE scheduled (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      feed int NOT NULL REFERENCES feed ON DELETE CASCADE, key text, body text NOT NULL, expires timestamptz,
      own_time int NOT NULL, due timestamptz NOT NULL, token int, UNIQUE (feed, key));
    CREATE INDEX scheduled_due ON scheduled (due);
    -- The token of a command on the hub's machine is 0, that of a webhook minus its number.
    CREATE TABLE receipt (token int, idem text, hash bytea NOT NULL, answer text NOT NULL, at timestamptz NOT NULL,
      PRIMARY KEY (token, idem));
    CREATE INDEX receipt_at ON receipt (at);
    CREATE TABLE audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL, token int,
      address inet, feed int, key text, item bigint, act text NOT NULL);
    CREATE INDEX audit_at ON audit (at);
    CREATE TABLE document (feed int REFERENCES feed ON DELETE CASCADE, path text, type text NOT NULL,
      body bytea NOT NULL, hash bytea NOT NULL, modified timestamptz NOT NULL, token int, PRIMARY KEY (feed, path));
    CREATE TABLE sync_object (person int, device bytea, name text, body bytea NOT NULL, seq bigint NOT NULL,
      at timestamptz NOT NULL, PRIMARY KEY (person, device, name), UNIQUE (person, seq));
    INSERT INTO hub (schema, uid) VALUES (1, gen_random_uuid())
    """

  /// Migration 2: the users whose objects machines store, and the number of their last change, which may have removed
  /// an object.
  private static let second = """
    CREATE TABLE person (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
      last bigint NOT NULL DEFAULT 0)
    """

  /// Migration 4: the numbers of webhooks, which were their positions in the settings. The webhooks of the settings get
  /// the same numbers, in their order.
  private static let fourth =
    "CREATE TABLE hook (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE)"

  /// Migration 3: the number of days after which items without an end expire. For items of an older hub, these days
  /// begin at the earliest with this migration.
  private static let third = """
    -- NULL: never.
    ALTER TABLE feed ADD COLUMN expires_days int DEFAULT 30;
    -- An item's days begin at the earliest then.
    ALTER TABLE hub ADD COLUMN expires_from timestamptz NOT NULL DEFAULT to_timestamp(0);
    UPDATE hub SET expires_from = now() WHERE EXISTS (SELECT 1 FROM item);
    CREATE INDEX item_endless ON item (feed, changed) WHERE live AND expires IS NULL
    """
}
