extension Schema {
  /// The triggers, which are frozen. They maintain the counts of the lists, and collect messages whose saved
  /// lists and originals must be determined again before the transaction ends. Only `MarkWriter` writes
  /// `is_read`, for very many messages at a time. It updates the counts itself, without a trigger.
  static let triggers = """
    CREATE TRIGGER status_comes AFTER INSERT ON status
    BEGIN
      UPDATE tally SET total = total + 1, unread = unread + NOT new.is_read, starred = starred + new.is_starred
        WHERE new.is_listed AND source_id = new.source_id;
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.message_id WHERE NOT new.is_read AND EXISTS (SELECT 1 FROM saved_list);
    END;
    CREATE TRIGGER status_is_starred AFTER UPDATE OF is_starred ON status
      WHEN new.is_listed AND new.is_starred <> old.is_starred
    BEGIN
      UPDATE tally SET starred = starred + new.is_starred - old.is_starred WHERE source_id = new.source_id;
    END;
    CREATE TRIGGER status_goes AFTER DELETE ON status WHEN old.is_listed
    BEGIN
      UPDATE tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE source_id = old.source_id;
    END;
    CREATE TRIGGER duplicate_changes
      AFTER UPDATE OF original_id, original_source, is_starred, is_shown, dismissed_at, snoozed_until, hidden_by ON status
      WHEN (old.original_id IS NOT NULL OR new.original_id IS NOT NULL) AND (new.original_id IS NOT old.original_id
        OR new.is_listed <> old.is_listed OR new.is_starred <> old.is_starred)
    BEGIN
      UPDATE duplicate_tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE old.is_listed AND source_id = old.source_id AND original_source = old.original_source;
      INSERT OR IGNORE INTO duplicate_tally (source_id, original_source)
        SELECT new.source_id, new.original_source WHERE new.original_id IS NOT NULL AND new.is_listed;
      UPDATE duplicate_tally SET total = total + 1, unread = unread + NOT new.is_read, starred = starred + new.is_starred
        WHERE new.is_listed AND source_id = new.source_id AND original_source = new.original_source;
    END;
    CREATE TRIGGER duplicate_goes AFTER DELETE ON status WHEN old.original_id IS NOT NULL AND old.is_listed
    BEGIN
      UPDATE duplicate_tally SET total = total - 1, unread = unread - NOT old.is_read, starred = starred - old.is_starred
        WHERE source_id = old.source_id AND original_source = old.original_source;
    END;
    -- Of a message and its duplicates another one may have to be the original.
    CREATE TRIGGER duplicate_is_shown AFTER UPDATE OF is_shown, dismissed_at, snoozed_until, hidden_by, is_followed, original_id
      ON status
      WHEN (new.is_listed <> old.is_listed OR new.is_followed <> old.is_followed OR new.original_id IS NOT old.original_id)
        AND (new.original_id IS NOT NULL OR EXISTS (SELECT 1 FROM status WHERE original_id = new.message_id))
    BEGIN
      INSERT OR IGNORE INTO duplicate_pending (original_id) VALUES (coalesce(new.original_id, new.message_id));
    END;
    CREATE TRIGGER original_goes AFTER DELETE ON status WHEN EXISTS (SELECT 1 FROM status WHERE original_id = old.message_id)
    BEGIN
      INSERT OR IGNORE INTO duplicate_pending (original_id) VALUES (old.message_id);
    END;
    -- No list counts what is read.
    CREATE TRIGGER list_is_asked
      AFTER UPDATE OF rank, sort_time, priority, is_shown, is_starred, dismissed_at, snoozed_until, hidden_by,
        original_id, expires ON status
      WHEN NOT (new.is_read AND old.is_read) AND EXISTS (SELECT 1 FROM saved_list)
    BEGIN
      INSERT OR IGNORE INTO list_pending (message_id)
        SELECT new.message_id UNION SELECT new.original_id WHERE new.original_id IS NOT NULL
        UNION SELECT old.original_id WHERE old.original_id IS NOT NULL;
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
    -- Also where is_read changes with it.
    CREATE TRIGGER status_is_listed AFTER UPDATE OF is_shown, dismissed_at, snoozed_until, hidden_by ON status
      WHEN new.is_listed <> old.is_listed
    BEGIN
      UPDATE tally SET total = total + new.is_listed - old.is_listed,
        unread = unread + (new.is_listed AND NOT new.is_read) - (old.is_listed AND NOT old.is_read),
        starred = starred + (new.is_listed - old.is_listed) * old.is_starred
        WHERE source_id = new.source_id;
    END;
    CREATE TRIGGER hidden_changes AFTER UPDATE OF hidden_by, dismissed_at, is_followed, original_id ON status
      WHEN old.hidden_by IS NOT NULL OR new.hidden_by IS NOT NULL
    BEGIN
      UPDATE hidden_tally SET count = count - 1
        WHERE rule = old.hidden_by AND old.dismissed_at IS NULL AND old.is_followed AND old.original_id IS NULL;
      INSERT INTO hidden_tally (rule, count)
        SELECT new.hidden_by, 1
        WHERE new.hidden_by IS NOT NULL AND new.dismissed_at IS NULL AND new.is_followed AND new.original_id IS NULL
        ON CONFLICT (rule) DO UPDATE SET count = count + 1;
    END;
    CREATE TRIGGER hidden_goes AFTER DELETE ON status
      WHEN old.hidden_by IS NOT NULL AND old.dismissed_at IS NULL AND old.is_followed AND old.original_id IS NULL
    BEGIN
      UPDATE hidden_tally SET count = count - 1 WHERE rule = old.hidden_by;
    END;
    """
}
