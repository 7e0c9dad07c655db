import Basics

/// A pane of a terminal on this machine, from which a message comes.
package struct TerminalPane: Hashable, Sendable, Codable {
  package enum Program: String, Hashable, Sendable, CaseIterable {
    case tmux, kitty, wezterm
  }

  /// The key that all messages of a pane share: `tmux:SERVER:NUMBER`, `kitty:NUMBER` or `wezterm:NUMBER`. The number of
  /// a tmux pane is unique while its server runs; the server's process id identifies that run.
  package private(set) var key: String
  /// The socket of its program, or `nil` for the default one.
  package private(set) var socket: String?
  /// The name of the pane according to its program; not yet sanitised for the terminal.
  package var name: String?

  /// The longest path of a socket, in bytes: `sun_path` has 108.
  private static let longestSocket = 108

  /// - Parameters:
  ///   - server: the process id of tmux's server, or `nil` for the other programs.
  /// - Returns: `nil` for an invalid socket.
  package init?(_ program: Program, number: Int, server: Int? = nil, socket: String? = nil) {
    guard number >= 0, server.map({ $0 > 0 }) ?? true, (program == .tmux) == (server != nil) else {
      return nil
    }
    if let socket {
      guard !socket.isEmpty, !socket.hasPrefix("-"), socket.utf8.count <= Self.longestSocket,
        socket.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return nil }
    }
    key = ([program.rawValue] + (server.map { [String($0)] } ?? []) + [String(number)]).joined(separator: ":")
    self.socket = socket
  }

  /// Creates the pane of a process from its environment: `TMUX` and `TMUX_PANE` of tmux(1), `KITTY_WINDOW_ID` and
  /// `KITTY_LISTEN_ON`, `WEZTERM_PANE` and `WEZTERM_UNIX_SOCKET`. Returns `nil` if there is no known pane.
  package init?(environment: [String: String]) {
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    // If there are several panes, the inner one is used: tmux passes on the variables of its terminal.
    if let tmux = environment["TMUX"], let pane = environment["TMUX_PANE"], pane.hasPrefix("%") {
      // The path of the socket may contain commas.
      let parts = tmux.split(onBytes: ",", omittingEmptySubsequences: false)
      guard parts.count >= 3, let server = Int(parts[parts.count - 2]), let number = Int(pane.dropFirst())
      else { return nil }
      self.init(.tmux, number: number, server: server, socket: parts.dropLast(2).joined(separator: ","))
    } else if let window = number("KITTY_WINDOW_ID") {
      self.init(.kitty, number: window, socket: environment["KITTY_LISTEN_ON"])
    } else if let pane = number("WEZTERM_PANE") {
      self.init(.wezterm, number: pane, socket: environment["WEZTERM_UNIX_SOCKET"])
    } else {
      return nil
    }
  }

  private var parts: [Substring] { key.split(onBytes: ":") }

  package var program: Program? { parts.first.flatMap { Program(rawValue: String($0)) } }

  package var number: Int? { parts.last.flatMap { Int($0) } }

  /// The name of the pane, or `tmux pane 4` if its program returned none.
  package var label: String {
    if let name { return name }
    guard let program, let number else { return key }
    return "\(program.rawValue) pane \(number)"
  }

  /// The process id of tmux's server.
  package var server: Int? { parts.count == 3 ? Int(parts[1]) : nil }

}
