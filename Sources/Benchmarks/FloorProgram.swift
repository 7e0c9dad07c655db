import CNcurses
import Foundation
import GRDB

/// What a start costs at least: a program with the same libraries that opens a database and a screen, and writes a row.
enum FloorProgram {
  static let text = "opened"

  static func run(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let count = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM source") }
    setlocale(LC_ALL, "")
    initscr()
    cbreak()
    noecho()
    start_color()
    mvaddstr(0, 0, "\(text) \(count ?? 0)")
    refresh()
    getch()
    endwin()
  }
}
