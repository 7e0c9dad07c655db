-- The table for reddot's synchronisation. Run it once for a database, as the role that shall own the table:
--
--   psql -d reddot -f sync.sql
--
-- It may be run again: nothing is lost. All that is stored is encrypted; the server sees sizes and times only.

BEGIN;

-- A row is an object: acts of one machine, sealed. Rows are added and removed, never changed. An object has at most
-- 64 MiB, a header of 56 bytes and a tag of 16.
CREATE TABLE IF NOT EXISTS reddot_sync (
  person name NOT NULL DEFAULT current_user,
  device bytea NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (person, device, first, last),
  CHECK (octet_length(device) = 16 AND first <= last AND octet_length(body) <= 67108936)
);

-- What is encrypted can't be compressed. Row security holds for the owner of the table too; only superusers and roles
-- with BYPASSRLS are not held by it.
ALTER TABLE reddot_sync
  ALTER body SET STORAGE EXTERNAL,
  ENABLE ROW LEVEL SECURITY,
  FORCE ROW LEVEL SECURITY;

-- Each role has rows of its own: it sees no others, removes no others, and can't write in another's name.
DROP POLICY IF EXISTS own ON reddot_sync;
CREATE POLICY own ON reddot_sync USING (person = current_user) WITH CHECK (person = current_user);

-- Every role that can connect to the database. There is no UPDATE: what is there stays as it is.
GRANT SELECT, INSERT, DELETE ON reddot_sync TO PUBLIC;

COMMIT;
