-- Makes of v22.sqlite a database of 300000 messages more, in 30 more sources (ids 101 to 130, names 'grown 1' to 'grown 30', the
-- last one not configured). Messages have ids 1001 to 301000; k = id - 1000.
--   sqlite3 v22-copy.sqlite < grow.sql
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -200000;
PRAGMA temp_store = MEMORY;
BEGIN;
INSERT INTO source (id, name, kind, address, place, initial_delay, interval, grace, request_timeout, poll_deadline, response_limit,
  is_unread_on_change, channels, type_names, app_version, options, uid, title, folder) VALUES
  (101, 'grown 1', 'feed', 'http://127.0.0.1:18471/grown/1.xml', 100, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'096cef08fe20a9dfae5895be131e8305', NULL, NULL),
  (102, 'grown 2', 'feed', 'http://127.0.0.1:18471/grown/2.xml', 101, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'80ac4a690de396beb904ba9091be46a5', NULL, 'Grown/B'),
  (103, 'grown 3', 'feed', 'http://127.0.0.1:18471/grown/3.xml', 102, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'9c26d36fa52e866827e52ccdec033a79', NULL, 'Grown/A'),
  (104, 'grown 4', 'feed', 'http://127.0.0.1:18471/grown/4.xml', 103, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'fc521a10db0e1010082f1f24b2b80478', NULL, NULL),
  (105, 'grown 5', 'feed', 'http://127.0.0.1:18471/grown/5.xml', 104, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'0e2d986c0c6d58937a0215b8655b6a23', NULL, 'Grown/A'),
  (106, 'grown 6', 'feed', 'http://127.0.0.1:18471/grown/6.xml', 105, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'6c18def2cdecf62c867fad13a37c7cf9', NULL, 'Grown/B'),
  (107, 'grown 7', 'feed', 'http://127.0.0.1:18471/grown/7.xml', 106, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'3c462bc6565f6305223bca5c116ca810', NULL, NULL),
  (108, 'grown 8', 'feed', 'http://127.0.0.1:18471/grown/8.xml', 107, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'8545f5035412ad276895ebda97fc728c', NULL, 'Grown/B'),
  (109, 'grown 9', 'feed', 'http://127.0.0.1:18471/grown/9.xml', 108, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'b0de20233b6b9cedec03fb1c6c87d520', NULL, 'Grown/A'),
  (110, 'grown 10', 'feed', 'http://127.0.0.1:18471/grown/10.xml', 109, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'e70ddcfd4b02aac4c22b74fdd5e1d1a5', NULL, NULL),
  (111, 'grown 11', 'feed', 'http://127.0.0.1:18471/grown/11.xml', 110, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'ebcb64fb3f69c012bf344c141d42d571', NULL, 'Grown/A'),
  (112, 'grown 12', 'feed', 'http://127.0.0.1:18471/grown/12.xml', 111, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'a69f2ace2f9a81b1663baa96650cb513', NULL, 'Grown/B'),
  (113, 'grown 13', 'feed', 'http://127.0.0.1:18471/grown/13.xml', 112, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'f2f47748be088a646fb8c675636cbbe1', NULL, NULL),
  (114, 'grown 14', 'feed', 'http://127.0.0.1:18471/grown/14.xml', 113, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'91985b5ec4f7d0eee3c2deb4b55e0490', NULL, 'Grown/B'),
  (115, 'grown 15', 'feed', 'http://127.0.0.1:18471/grown/15.xml', 114, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'c825024bf664cf20b385126083727cac', NULL, 'Grown/A'),
  (116, 'grown 16', 'feed', 'http://127.0.0.1:18471/grown/16.xml', 115, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'6cfe0082ece466536439d3d0ec158f40', NULL, NULL),
  (117, 'grown 17', 'feed', 'http://127.0.0.1:18471/grown/17.xml', 116, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'5e021266bc89cf8a31bcb783b26c44c9', NULL, 'Grown/A'),
  (118, 'grown 18', 'feed', 'http://127.0.0.1:18471/grown/18.xml', 117, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'08e7b3c4dfd59488bb388497c0b32647', NULL, 'Grown/B'),
  (119, 'grown 19', 'feed', 'http://127.0.0.1:18471/grown/19.xml', 118, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'b330b37521d273e4345c1eedcc144743', NULL, NULL),
  (120, 'grown 20', 'feed', 'http://127.0.0.1:18471/grown/20.xml', 119, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'a2f495adbf7ba713421794ba50276367', NULL, 'Grown/B'),
  (121, 'grown 21', 'feed', 'http://127.0.0.1:18471/grown/21.xml', 120, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'559853640cd1a15c21b883406224980c', NULL, 'Grown/A'),
  (122, 'grown 22', 'feed', 'http://127.0.0.1:18471/grown/22.xml', 121, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'1704adba603f23a679724dd6add4da44', NULL, NULL),
  (123, 'grown 23', 'feed', 'http://127.0.0.1:18471/grown/23.xml', 122, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'8ea44e1f115d2c3e781a0f663824c529', NULL, 'Grown/A'),
  (124, 'grown 24', 'feed', 'http://127.0.0.1:18471/grown/24.xml', 123, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'b3e23a737c7f4da44903f22fb3a16afe', NULL, 'Grown/B'),
  (125, 'grown 25', 'feed', 'http://127.0.0.1:18471/grown/25.xml', 124, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'b07be749601d8e2a377f0c48e0ce32a2', NULL, NULL),
  (126, 'grown 26', 'feed', 'http://127.0.0.1:18471/grown/26.xml', 125, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'9049f7a6c63cbeba516fd518460f42b4', NULL, 'Grown/B'),
  (127, 'grown 27', 'feed', 'http://127.0.0.1:18471/grown/27.xml', 126, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'a37a66630ec7d2ca5e9f4fe10cdc6738', NULL, 'Grown/A'),
  (128, 'grown 28', 'feed', 'http://127.0.0.1:18471/grown/28.xml', 127, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'd515bf08c09d3483dae49798024c3c3f', NULL, NULL),
  (129, 'grown 29', 'feed', 'http://127.0.0.1:18471/grown/29.xml', 128, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'1cecf5931c3fbb6c4a0477dc55936dc7', NULL, 'Grown/A'),
  (130, 'grown 30', 'feed', 'http://127.0.0.1:18471/grown/30.xml', NULL, 0, 600000000000, 1000000, 60000000000, 150000000000, 67108864, 0, '["general"]', '{}', NULL, '{}', X'52d51262dd10687e48988ebc228719ad', NULL, 'Grown/B');
INSERT INTO polling (source_id, title, link, is_filled, etag, last_attempt_start, last_attempt_end, last_success)
  SELECT id, 'Grown by ' || id, 'https://grown.example/' || id, 1, '"etag-' || id || '"', 817292800.5, 817292801.5, 817292801.5
  FROM source WHERE id >= 101;
INSERT INTO tally (source_id) SELECT id FROM source WHERE id >= 101;

CREATE TEMP TABLE word (n INTEGER PRIMARY KEY, w TEXT);
INSERT INTO word VALUES (0, 'needle report'), (1, 'server update'), (2, 'build passed'), (3, 'Café menu'), (4, 'release notes'),
  (5, 'meeting moved'), (6, 'backup done');

-- Five minutes between ten messages and the next ten, which have one time.
INSERT INTO message (id, source_id, kind, standing, sort_time, is_shown, is_dismissable, priority, received, visible_from, expires,
    channel, title)
  WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 300000)
  SELECT 1000 + k, 101 + (k - 1) / 500 % 30, 'feed',
    CASE WHEN k % 20000 = 3 THEN 1 ELSE 0 END,
    CASE WHEN k % 5000 = 1 THEN 1795600000000 ELSE 1795600000000 - (300000 - k) / 10 * 300000 END,
    k % 5000 NOT IN (1, 2), k % 20000 <> 3,
    CASE WHEN k % 200 = 1 THEN 5 WHEN k % 100 = 2 THEN 4 WHEN k % 100 = 3 THEN 2 WHEN k % 250 = 4 THEN 1 ELSE 3 END,
    1795600000000, CASE WHEN k % 5000 = 1 THEN 4086576000000 END, CASE WHEN k % 5000 = 2 THEN 1795600000000 - 1 END, NULL,
    CASE WHEN k % 100 = 0 THEN '会议 ' || k ELSE (SELECT w FROM word WHERE n = k % 7) || ' ' || k END
  FROM n;
-- No links: messages without one and with such ids have no rows in link_key.
INSERT INTO detail (message_id, remote_id, body, html, url, author, published, updated, language, tags, extras)
  SELECT id, 'grown-' || id, 'Text ' || (id - 1000) % 997 || CASE WHEN (id - 1000) % 5000 = 9 THEN ' rareword' ELSE '' END,
    CASE WHEN (id - 1000) % 10 = 0 THEN '<p>Text ' || (id - 1000) % 997 || '</p>' END, NULL,
    CASE (id - 1000) % 3 WHEN 0 THEN 'Ada' WHEN 1 THEN 'Bo' END, sort_time, NULL, CASE WHEN (id - 1000) % 8 = 0 THEN 'en' END,
    CASE WHEN (id - 1000) % 16 = 0 THEN '["often","t' || (id - 1000) / 16 % 5 || '"]' WHEN (id - 1000) % 4 = 0 THEN '["often"]' WHEN (id - 1000) % 9999 = 1 THEN '["rare"]' END, NULL
  FROM message WHERE id >= 1001;
-- The hash is none that a content has: a poll that brings one of them again updates it.
INSERT INTO identity (source_id, remote_id, message_id, hash)
  SELECT source_id, 'grown-' || id, id, id FROM message WHERE id >= 1001 ORDER BY 1, 2;
-- A third is read, all of 101003 to 104002 by one act.
INSERT INTO status (message_id, is_read, is_starred, is_dismissed, snoozed_until, hidden_by, is_acted, hidden_at, was_hidden_by,
    first_id, first_source, dismissed_at)
  SELECT id, is_shown AND ((id - 1000) % 3 = 0 OR id BETWEEN 101003 AND 104002), (id - 1000) % 50 = 7, id BETWEEN 51003 AND 53002 AND is_shown,
    CASE WHEN (id - 1000) % 1000 = 13 AND id NOT BETWEEN 101003 AND 104002 THEN 4086576000000 + (id - 1000) END, NULL,
    id BETWEEN 101003 AND 104002 OR id BETWEEN 51003 AND 53002 AND is_shown OR (id - 1000) % 1000 = 13, 0, NULL,
    NULL, NULL, CASE WHEN id BETWEEN 51003 AND 53002 AND is_shown THEN 1795600002000 ELSE 0 END
  FROM message WHERE id >= 1001;
UPDATE status SET hidden_by = 'noise', hidden_at = 1795600000500
  WHERE message_id >= 1001 AND (message_id - 1000) % 700 = 5 AND NOT is_acted AND message_id NOT BETWEEN 101003 AND 104002;
INSERT INTO touched (message_id, place, rule, at) SELECT message_id, 1, 'noise', 1795600000500 FROM status WHERE message_id >= 1001 AND hidden_by IS NOT NULL;
UPDATE rule SET hits = hits + (SELECT count(*) FROM touched WHERE rule = 'noise' AND message_id >= 1001) WHERE name = 'noise';

-- The acts: 297 snoozed, then a range dismissed, then another one read.
INSERT INTO journal (at, act, ids) VALUES
  (1795600001000, 'snooze', X'f50700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700a01f00e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700e80700'),
  (1795600002000, 'dismiss', X'bb8e03cf0f'),
  (1795600003000, 'readAll', X'8b9506b717');

-- Lists.
INSERT INTO listed SELECT m.standing, m.sort_time, m.id FROM message m CROSS JOIN status t ON t.message_id = m.id
  WHERE m.id >= 1001 AND m.is_shown AND NOT (t.is_dismissed OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL) AND m.source_id IN (SELECT id FROM source WHERE place IS NOT NULL) ORDER BY 1, 2, 3;
INSERT INTO listed_unread SELECT l.* FROM listed l CROSS JOIN status t ON t.message_id = l.message_id WHERE l.message_id >= 1001 AND NOT t.is_read ORDER BY 1, 2, 3;
INSERT INTO starred SELECT l.* FROM listed l CROSS JOIN status t ON t.message_id = l.message_id WHERE l.message_id >= 1001 AND t.is_starred ORDER BY 1, 2, 3;
INSERT INTO starred_unread SELECT l.* FROM starred l CROSS JOIN status t ON t.message_id = l.message_id WHERE l.message_id >= 1001 AND NOT t.is_read ORDER BY 1, 2, 3;
INSERT INTO source_listed (source_id, standing, sort_time, message_id)
  SELECT m.source_id, m.standing, m.sort_time, m.id FROM message m CROSS JOIN status t ON t.message_id = m.id WHERE m.id >= 1001 AND m.is_shown AND NOT (t.is_dismissed OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL) ORDER BY 1, 2, 3, 4;
INSERT INTO source_unread (source_id, standing, sort_time, message_id)
  SELECT l.* FROM source_listed l CROSS JOIN status t ON t.message_id = l.message_id WHERE l.message_id >= 1001 AND NOT t.is_read ORDER BY 1, 2, 3, 4;
INSERT INTO source_away (source_id, standing, sort_time, message_id)
  SELECT m.source_id, m.standing, m.sort_time, m.id FROM message m CROSS JOIN status t ON t.message_id = m.id WHERE m.id >= 1001 AND NOT (m.is_shown AND NOT (t.is_dismissed OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL)) ORDER BY 1, 2, 3, 4;
INSERT INTO ranked (source_id, priority, standing, sort_time, message_id)
  SELECT l.source_id, m.priority, l.standing, l.sort_time, l.message_id FROM source_listed l CROSS JOIN message m ON m.id = l.message_id
  WHERE l.message_id >= 1001 AND m.priority <> 3 ORDER BY 1, 2, 3, 4, 5;
INSERT INTO ranked_unread SELECT r.* FROM ranked r CROSS JOIN status t ON t.message_id = r.message_id WHERE r.message_id >= 1001 AND NOT t.is_read ORDER BY 1, 2, 3, 4, 5;
-- Dots: the last unread messages of two sources.
INSERT INTO unseen (source_id, message_id) SELECT source_id, message_id FROM (
  SELECT source_id, message_id FROM source_unread WHERE source_id = 101 ORDER BY message_id DESC LIMIT 20);
INSERT INTO unseen (source_id, message_id) SELECT source_id, message_id FROM (
  SELECT source_id, message_id FROM source_unread WHERE source_id = 105 ORDER BY message_id DESC LIMIT 15);
UPDATE tally SET
  total = (SELECT count(*) FROM source_listed l WHERE l.source_id = tally.source_id),
  unread = (SELECT count(*) FROM source_unread l WHERE l.source_id = tally.source_id),
  starred = (SELECT count(*) FROM source_listed l CROSS JOIN status t ON t.message_id = l.message_id WHERE l.source_id = tally.source_id AND t.is_starred),
  unseen = (SELECT count(*) FROM unseen u WHERE u.source_id = tally.source_id)
  WHERE source_id >= 101;
-- The saved lists of v22: "Important" is priority>=4, "Nobody looked" is is:new.
INSERT INTO list_member (message_id, list_id, is_unseen)
  SELECT r.message_id, (SELECT id FROM saved_list WHERE query = 'priority>=4'), EXISTS (SELECT 1 FROM unseen u WHERE u.source_id = r.source_id AND u.message_id = r.message_id)
  FROM ranked_unread r CROSS JOIN source s ON s.id = r.source_id WHERE r.message_id >= 1001 AND r.priority >= 4 AND s.place IS NOT NULL
    AND EXISTS (SELECT 1 FROM saved_list WHERE query = 'priority>=4') ORDER BY 1;
INSERT INTO list_member (message_id, list_id, is_unseen)
  SELECT message_id, (SELECT id FROM saved_list WHERE query = 'is:new'), 1 FROM unseen WHERE source_id >= 101 AND EXISTS (SELECT 1 FROM saved_list WHERE query = 'is:new');

-- Bounds of the list keys of 1024 messages each.
INSERT INTO span (block, low, high)
  SELECT id / 1024, min((standing << 52) + sort_time), max((standing << 52) + sort_time) FROM message WHERE id >= 1001 GROUP BY 1
  ON CONFLICT (block) DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high);
-- No facets: as messages of a version before 17 that wait for them. What is there already stays.
UPDATE store SET last_message = 301000, facets_from = 301000 + 1;

-- The text index: each Chinese character is a word of its own.
INSERT INTO search (rowid, title, body, author)
  SELECT m.id, replace(m.title, '会议', ' 会 议 '), d.body, coalesce(d.author, '') FROM message m CROSS JOIN detail d ON d.message_id = m.id
  WHERE m.id >= 1001 ORDER BY m.id;
COMMIT;
DROP TABLE temp.word;
PRAGMA journal_mode = DELETE;
