import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 106 adds the tables of synchronisation, which the manual's page about it describes. They are empty, and
  /// the new columns are NULL, until this machine joins a sync location.
  static func synchronises(_ db: Database) throws {
    try db.execute(
      sql: """
        -- One row once this database is a machine.
        CREATE TABLE sync (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          device BLOB NOT NULL,
          place_id BLOB NOT NULL,
          -- The highest level of payloads that this program reads; what was partly read by a lower one is read again.
          level INTEGER NOT NULL,
          -- When the last synchronisation ended well, and why the last one failed, since when.
          last INTEGER,
          failed TEXT,
          failed_at INTEGER
        );

        -- This machine's acts as they are sent, the length included; NULL: not encoded yet. They are kept: a place that lost
        -- them gets them again.
        CREATE TABLE own_act (seq INTEGER PRIMARY KEY, body BLOB, is_there INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX own_act_waiting ON own_act(seq) WHERE NOT is_there;

        -- The other machines.
        CREATE TABLE device (
          id INTEGER PRIMARY KEY,
          uuid BLOB NOT NULL UNIQUE,
          name TEXT,
          -- When its newest object was written, by its clock.
          heard INTEGER,
          -- By how much its clock was ahead then, in milliseconds.
          ahead INTEGER NOT NULL DEFAULT 0,
          -- The numbers of its acts that were read, and of those that a later program reads again: IDRanges.
          known BLOB NOT NULL,
          partial BLOB NOT NULL
        );

        -- Whose act it is: 0 this machine's, -1 a service's word; and its number there. NULL: before synchronisation.
        ALTER TABLE journal ADD COLUMN device INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE journal ADD COLUMN seq INTEGER;
        -- See Stamp; NULL: `at` << 16.
        ALTER TABLE journal ADD COLUMN stamp INTEGER;
        -- The first act of its step: one undo takes back all. NULL: itself.
        ALTER TABLE journal ADD COLUMN step INTEGER;
        CREATE UNIQUE INDEX journal_of_device ON journal(device, seq) WHERE seq IS NOT NULL;
        CREATE INDEX journal_stamp ON journal(stamp) WHERE stamp IS NOT NULL;
        CREATE INDEX journal_step ON journal(step) WHERE step IS NOT NULL;
        DROP INDEX journal_undoable;
        DROP INDEX journal_redoable;
        CREATE INDEX journal_undoable ON journal(id) WHERE undone IS NULL AND undoes IS NULL AND device = 0;
        CREATE INDEX journal_redoable ON journal(id) WHERE undone IS NULL AND undoes IS NOT NULL AND device = 0;

        -- The act whose write stands, by its id in the journal; NULL: nobody's, the default of this machine.
        ALTER TABLE status ADD COLUMN read_by INTEGER;
        ALTER TABLE status ADD COLUMN starred_by INTEGER;
        ALTER TABLE status ADD COLUMN dismissed_by INTEGER;
        ALTER TABLE status ADD COLUMN snoozed_by INTEGER;
        ALTER TABLE status ADD COLUMN shown_by INTEGER;
        -- When a snooze ended that no other has replaced, and is_read without that end.
        ALTER TABLE status ADD COLUMN woken INTEGER;
        ALTER TABLE status ADD COLUMN read_before INTEGER;
        CREATE INDEX woken ON status(woken) WHERE woken IS NOT NULL;

        -- What sources are called on all machines, and what stands for each there; `_by` as in status. A source here may have
        -- several.
        CREATE TABLE wire_source (
          id INTEGER PRIMARY KEY,
          uid BLOB NOT NULL UNIQUE,
          source_id INTEGER,
          -- Some machine has its first delivery.
          is_filled INTEGER NOT NULL DEFAULT 0,
          -- A person took it out of this machine's settings: it isn't followed here, whatever the others do.
          is_declined INTEGER NOT NULL DEFAULT 0,
          follow TEXT,
          follow_by INTEGER,
          name TEXT,
          name_by INTEGER,
          title TEXT,
          title_by INTEGER,
          folder TEXT,
          folder_by INTEGER
        );
        CREATE INDEX wire_source_of ON wire_source(source_id) WHERE source_id IS NOT NULL;

        -- What messages are called on all machines, and the occasion that they report now; 0: they have none.
        CREATE TABLE wire_key (
          source_id INTEGER NOT NULL,
          key INTEGER NOT NULL,
          message_id INTEGER NOT NULL,
          occasion INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (source_id, key, message_id)
        ) WITHOUT ROWID;

        -- Writes whose message isn't here, or isn't what it was; `act` is an id of the journal.
        CREATE TABLE waiting (
          wire_source INTEGER NOT NULL,
          key INTEGER NOT NULL,
          occasion INTEGER NOT NULL,
          field INTEGER NOT NULL,
          value,
          act INTEGER NOT NULL,
          since INTEGER NOT NULL,
          PRIMARY KEY (wire_source, key, occasion, field)
        ) WITHOUT ROWID;
        CREATE INDEX waiting_since ON waiting(since);
        -- Contents of messages: what `push` and `content` write.
        CREATE INDEX waiting_content ON waiting(wire_source, key) WHERE field >= 32 AND value IS NOT NULL;

        -- Not 0: that machine sends it; here it only holds back what the service says.
        ALTER TABLE outgoing ADD COLUMN device INTEGER NOT NULL DEFAULT 0;
        DROP INDEX outgoing_waiting;
        CREATE INDEX outgoing_waiting ON outgoing(source_id, id) WHERE carried IS NULL AND device = 0;
        CREATE INDEX outgoing_held ON outgoing(source_id, made) WHERE device <> 0;
        """)
  }

  /// Migration 114 records which objects (files) of the sync location this machine has written and read,
  /// independently of the numbers of the acts in them.
  static func knowsObjects(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE object (
          -- 0: this machine.
          device INTEGER NOT NULL,
          first INTEGER NOT NULL,
          last INTEGER NOT NULL,
          -- Of the name; empty: it has none.
          digest BLOB NOT NULL,
          -- As the place's file system said; NULL: it says nothing. Of a damaged object without a size, `modified` is when it was
          -- first found so.
          size INTEGER,
          modified INTEGER,
          -- 0 written here, 1 read, 2 damaged.
          state INTEGER NOT NULL,
          -- When its bytes were last looked at.
          checked INTEGER NOT NULL,
          PRIMARY KEY (device, first, last, digest)
        ) WITHOUT ROWID;
        """)
  }

  /// Migration 116 adds, for each source, the machines on which the user keeps it in a settings file. Acts of
  /// other machines that were only partly read are read again, since they may name such machines.
  static func knowsWrittenSources(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE source_written (
          -- An id of wire_source.
          source INTEGER NOT NULL,
          -- The first 8 bytes of the id of a machine, this one included.
          machine INTEGER NOT NULL,
          is_written INTEGER NOT NULL,
          -- An id of the journal.
          act INTEGER NOT NULL,
          PRIMARY KEY (source, machine)
        ) WITHOUT ROWID;
        DELETE FROM object WHERE device IN (SELECT id FROM device WHERE partial <> x'');
        UPDATE device SET partial = x'';
        """)
  }
}
