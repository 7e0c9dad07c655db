extension EarlierSchema {
  /// The triggers of the first version, which are frozen. They maintain the counts of the lists, and collect
  /// messages whose saved lists and originals must be determined again before the transaction ends.
  static let triggers = """
    CREATE TRIGGER status_comes AFTER INSERT ON status
    BEGIN
      UPDATE tally SET total = total + 1, unread = unread + NOT new.is_read, starred = starred + new.is_starred
        WHERE new.is_listed AND source_id = new.source_id;
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.message_id WHERE NOT new.is_read AND EXISTS (SELECT 1 FROM saved_list);
    END;
    -- The mark that most acts change, for very many messages at once: one trigger costs less than three.
    CREATE TRIGGER status_is_read AFTER UPDATE OF is_read ON status WHEN new.is_read <> old.is_read
    BEGIN
      UPDATE tally SET unread = unread + old.is_read - new.is_read WHERE new.is_listed AND source_id = new.source_id;
      UPDATE copy_tally SET unread = unread + old.is_read - new.is_read
        WHERE new.first_id IS NOT NULL AND new.is_listed AND source_id = new.source_id AND first_source = new.first_source
          AND new.first_id IS old.first_id AND old.is_listed AND new.is_starred = old.is_starred;
      INSERT OR IGNORE INTO list_pending (message_id) SELECT new.message_id WHERE EXISTS (SELECT 1 FROM saved_list);
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.first_id WHERE new.first_id IS NOT NULL AND EXISTS (SELECT 1 FROM saved_list);
    END;
    CREATE TRIGGER status_is_starred AFTER UPDATE OF is_starred ON status
      WHEN new.is_listed AND new.is_starred <> old.is_starred
    BEGIN
      UPDATE tally SET starred = starred + new.is_starred - old.is_starred WHERE source_id = new.source_id;
    END;
    -- One statement changes either what is_listed is made of or is_read and is_starred; where it does both, the two above
    -- have counted by the new is_listed, and this one goes by what the row was and is.
    CREATE TRIGGER status_is_listed AFTER UPDATE OF is_shown, dismissed_at, snoozed_until, hidden_by ON status
      WHEN new.is_listed <> old.is_listed
    BEGIN
      UPDATE tally SET total = total + new.is_listed - old.is_listed,
        unread = unread + (new.is_listed - old.is_listed) * NOT old.is_read,
        starred = starred + (new.is_listed - old.is_listed) * old.is_starred
        WHERE source_id = new.source_id;
    END;
    CREATE TRIGGER status_goes AFTER DELETE ON status WHEN old.is_listed
    BEGIN
      UPDATE tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE source_id = old.source_id;
    END;

    CREATE TRIGGER copy_changes
      AFTER UPDATE OF first_id, first_source, is_starred, is_shown, dismissed_at, snoozed_until, hidden_by ON status
      WHEN (old.first_id IS NOT NULL OR new.first_id IS NOT NULL) AND (new.first_id IS NOT old.first_id
        OR new.is_listed <> old.is_listed OR new.is_starred <> old.is_starred)
    BEGIN
      UPDATE copy_tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE old.is_listed AND source_id = old.source_id AND first_source = old.first_source;
      INSERT OR IGNORE INTO copy_tally (source_id, first_source)
        SELECT new.source_id, new.first_source WHERE new.first_id IS NOT NULL AND new.is_listed;
      UPDATE copy_tally SET total = total + 1, unread = unread + NOT new.is_read, starred = starred + new.is_starred
        WHERE new.is_listed AND source_id = new.source_id AND first_source = new.first_source;
    END;
    CREATE TRIGGER copy_goes AFTER DELETE ON status WHEN old.first_id IS NOT NULL AND old.is_listed
    BEGIN
      UPDATE copy_tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE source_id = old.source_id AND first_source = old.first_source;
    END;
    -- Of a message and its copies another one may have to be the first.
    CREATE TRIGGER copy_is_shown AFTER UPDATE OF is_shown, dismissed_at, snoozed_until, hidden_by, is_followed, first_id
      ON status
      WHEN (new.is_listed <> old.is_listed OR new.is_followed <> old.is_followed OR new.first_id IS NOT old.first_id)
        AND (new.first_id IS NOT NULL OR EXISTS (SELECT 1 FROM status WHERE first_id = new.message_id))
    BEGIN
      INSERT OR IGNORE INTO copy_pending (first_id) VALUES (coalesce(new.first_id, new.message_id));
    END;
    CREATE TRIGGER copy_first_goes AFTER DELETE ON status WHEN EXISTS (SELECT 1 FROM status WHERE first_id = old.message_id)
    BEGIN
      INSERT OR IGNORE INTO copy_pending (first_id) VALUES (old.message_id);
    END;

    CREATE TRIGGER hides AFTER UPDATE OF hidden_by ON status
      WHEN new.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      INSERT INTO hidden_tally (rule, count) VALUES (new.hidden_by, 1) ON CONFLICT (rule) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER shows AFTER UPDATE OF hidden_by ON status
      WHEN old.hidden_by IS NOT NULL AND new.hidden_by IS NOT old.hidden_by
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
    CREATE TRIGGER hidden_goes AFTER DELETE ON status WHEN old.hidden_by IS NOT NULL
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;

    -- No list counts what is read.
    CREATE TRIGGER list_is_asked
      AFTER UPDATE OF standing, sort_time, priority, is_shown, is_starred, dismissed_at, snoozed_until, hidden_by,
        first_id, expires ON status
      WHEN NOT (new.is_read AND old.is_read) AND EXISTS (SELECT 1 FROM saved_list)
    BEGIN
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.message_id UNION SELECT new.first_id WHERE new.first_id IS NOT NULL
        UNION SELECT old.first_id WHERE old.first_id IS NOT NULL;
    END;
    CREATE TRIGGER list_is_seen AFTER UPDATE OF is_unseen ON status
      WHEN new.is_unseen <> old.is_unseen AND EXISTS (SELECT 1 FROM saved_list)
    BEGIN
      UPDATE list_member SET is_unseen = new.is_unseen WHERE message_id = new.message_id AND is_unseen <> new.is_unseen;
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.message_id WHERE EXISTS (SELECT 1 FROM saved_list WHERE asks_new);
    END;
    CREATE TRIGGER list_member_comes AFTER INSERT ON list_member
    BEGIN
      UPDATE saved_list SET unread = unread + 1, unseen = unseen + new.is_unseen WHERE id = new.list_id;
    END;
    CREATE TRIGGER list_member_goes AFTER DELETE ON list_member
    BEGIN
      UPDATE saved_list SET unread = unread - 1, unseen = unseen - old.is_unseen WHERE id = old.list_id;
    END;
    CREATE TRIGGER list_member_is_seen AFTER UPDATE OF is_unseen ON list_member WHEN new.is_unseen <> old.is_unseen
    BEGIN
      UPDATE saved_list SET unseen = unseen + new.is_unseen - old.is_unseen WHERE id = new.list_id;
    END;
    """
}
