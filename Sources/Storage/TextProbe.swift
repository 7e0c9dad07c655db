import GRDB

/// A temporary index in memory, with the tokenizer of the real one: finds which of a few texts match.
///
/// It gives the same answer as the real index, but reads the texts: used when so many
/// words begin with what was typed that nearly every message matches.
struct TextProbe {
  struct Text {
    var id: Int64
    var title: String
    var body: String
    var author: String?
  }

  private let memory: DatabaseQueue

  init() throws {
    memory = try DatabaseQueue()
    try memory.writeWithoutTransaction { db in try db.execute(sql: Schema.searchTable) }
  }

  /// - Parameter texts: in ascending order of their ids.
  func matching(_ expression: String, in texts: [Text]) throws -> Set<Int64> {
    try memory.write { db in
      let index = try SearchIndex(db)
      for text in texts {
        try index.insert(text.id, title: text.title, body: text.body, author: text.author)
      }
      let query = try db.prepared("SELECT rowid FROM search WHERE search MATCH ?")
      try query.bind(1, expression)
      var matching: Set<Int64> = []
      try query.forEach { matching.insert(query.int(0)) }
      try db.execute(sql: "INSERT INTO search(search) VALUES ('delete-all')")
      return matching
    }
  }
}
