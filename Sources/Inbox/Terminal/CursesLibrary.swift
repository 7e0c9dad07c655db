import CNcurses

/// The library that draws.
package enum CursesLibrary {
  /// Such as "ncurses 6.4.20221231": of the library that was loaded, which may be newer than the one of the build.
  package static var nameAndVersion: String { String(cString: curses_version()) }
}
