/// What the migration v20 changes, as SQL: frozen as it is.
extension Schema {
  static let services = """
    -- Acts of the user for services that take them over, written with the act itself. Of several marks of one field of a
    -- message only the last is there; each has a new id.
    CREATE TABLE outgoing (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      -- As its service knows the message, also once it is deleted here.
      remote_id TEXT NOT NULL,
      handle TEXT,
      -- 'read', 'starred', 'done', 'snoozed', or 'act ' and the name of an action.
      field TEXT NOT NULL,
      -- 1 or 0; of a snooze its end, or NULL.
      value INTEGER,
      made INTEGER NOT NULL,
      -- When the service got it; kept until a poll that began later, since what an earlier one saw is older than the act.
      carried INTEGER
    );
    CREATE UNIQUE INDEX outgoing_of_message ON outgoing(message_id, field);
    CREATE INDEX outgoing_waiting ON outgoing(source_id, id) WHERE carried IS NULL;
    CREATE INDEX outgoing_carried ON outgoing(source_id, carried) WHERE carried IS NOT NULL;
    -- When the acts of a source are sent again after a failure.
    CREATE TABLE carrying (source_id INTEGER PRIMARY KEY, failures INTEGER NOT NULL, due INTEGER NOT NULL);
    -- Messages that were open at their service in its last complete answer.
    CREATE TABLE open_upstream (source_id INTEGER NOT NULL, remote_id TEXT NOT NULL, message_id INTEGER NOT NULL,
      PRIMARY KEY (source_id, remote_id)) WITHOUT ROWID;
    -- When the trouble that a message reported was over.
    CREATE TABLE resolved (message_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    -- How many requests the server still accepts, as JSON.
    ALTER TABLE polling ADD COLUMN quota TEXT;
    """
}
