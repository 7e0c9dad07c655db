import GRDB

extension Schema {
  /// Adds the table of questions: messages in which a program asks the user, and waits for the answer.
  static let questions = Migration(name: "questions of programs") { db in
    try db.execute(
      sql: """
        CREATE TABLE question (
          message_id INTEGER PRIMARY KEY,
          answers TEXT NOT NULL,
          is_permission INTEGER NOT NULL,
          is_title_whole INTEGER NOT NULL,
          asked INTEGER NOT NULL,
          until INTEGER NOT NULL,
          asker TEXT,
          ended INTEGER,
          ending INTEGER,
          answer INTEGER,
          machine TEXT
        );
        CREATE INDEX question_open ON question(asked) WHERE ended IS NULL;
        """)
  }

  /// Forgets the acts of other machines that were only partly read, so that they are read again. They may
  /// contain answers or ends of questions.
  static let sharedQuestions = Migration(name: "questions that several machines answer") { db in
    try db.execute(
      sql: """
        DELETE FROM object WHERE device IN (SELECT id FROM device WHERE partial <> x'');
        UPDATE device SET partial = x'' WHERE partial <> x'';
        """)
  }
}
