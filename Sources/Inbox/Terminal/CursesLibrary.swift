import CNcurses

/// The ncurses library that this process has loaded.
package enum CursesLibrary {
  /// The name and version, for example "ncurses 6.4.20221231", of the loaded library. It can be newer than the
  /// library of the build.
  package static var nameAndVersion: String { String(cString: curses_version()) }
}
