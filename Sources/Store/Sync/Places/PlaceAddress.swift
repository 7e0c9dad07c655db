import Basics
import Foundation
import Platform

/// The address of the sync location in the settings. `description` is its form for users, without passwords.
package enum PlaceAddress: Hashable, Sendable {
  /// A path, in which the caller expands `~`.
  case folder(String)
  /// A path on a host, starting in the home folder if it doesn't begin with `/`.
  case ssh(host: String, path: String)
  /// The address, with its password if it has one.
  case postgreSQL(String)
  /// `https://HUB`, with a port if it has one; `http` is allowed only for this machine.
  case hub(String)
  /// The words of a program that uses the pipe protocol.
  case program([String])

  /// The reason why text is no sync location; `description` is a predicate.
  package enum Mistake: Error, Hashable, Sendable {
    case empty
    /// There is a zero byte or a line end.
    case controlCharacter
    case noHost
    case hostBeginsWithHyphen(String)
    case noFolder
    /// The address isn't a scheme, a host and a port.
    case badHub
    /// The port isn't a number, and may be a misplaced password.
    case badPort
    case unknownScheme(String)
  }

  /// - Parameter text: a folder, `ssh:HOST:PATH`, `postgresql://…` or `https://HUB`; HOST may be in brackets, like IPv6
  ///   addresses.
  package init(_ text: String) throws(Mistake) {
    guard !text.isEmpty else { throw .empty }
    try Self.check(text)
    if text.hasPrefix("ssh:"), !text.hasPrefix("ssh://") {
      self = try Self.ssh(text.dropFirst(4))
    } else if text.hasPrefix("postgresql://") {
      try Self.checkPorts(of: text)
      self = .postgreSQL(text)
    } else if text.hasPrefix("https://") || text.hasPrefix("http://") {
      self = try Self.atHub(text)
    } else if let match = text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//) {
      throw .unknownScheme(String(match.1))
    } else {
      self = .folder(text)
    }
  }

  /// Whether it is a folder, which needs no program.
  package var isFolder: Bool { if case .folder = self { true } else { false } }

  package init(program words: [String]) throws(Mistake) {
    guard let name = words.first, !name.isEmpty else { throw .empty }
    // An argument may contain line ends.
    guard !words.contains(where: { $0.utf8.contains(0) }) else { throw .controlCharacter }
    self = .program(words)
  }

  private static func ssh(_ text: Substring) throws(Mistake) -> PlaceAddress {
    let host: Substring
    let rest: Substring
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
    }
    guard !host.isEmpty else { throw .noHost }
    // ssh would take it for an option, which may run programs.
    guard host.utf8.first != UInt8(ascii: "-") else { throw .hostBeginsWithHyphen(String(host)) }
    guard rest.hasPrefix(":"), rest.count > 1 else { throw .noFolder }
    return .ssh(host: String(host), path: String(rest.dropFirst()))
  }

  /// Checks the ports. User name and password end with `@`; hosts are separated by commas.
  private static func checkPorts(of text: String) throws(Mistake) {
    let rest = text.dropFirst("postgresql://".count)
    let hosts = rest[(rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex)...]
      .prefix { $0 != "/" && $0 != "?" }
    for host in hosts.split(onBytes: ",") {
      let port = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
      guard port.dropFirst().allSatisfy({ "0"..."9" ~= $0 }) else { throw .badPort }
    }
  }

  /// Parses the URL of a hub. It requires TLS for another machine, since a token could otherwise be read on the way.
  private static func atHub(_ text: String) throws(Mistake) -> PlaceAddress {
    let pattern = /https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._\-]+)(:[0-9]{1,5})?\/?/
    guard let match = text.wholeMatch(of: pattern) else { throw .badHub }
    guard text.hasPrefix("https:") || ["127.0.0.1", "[::1]", "localhost"].contains(match.1) else {
      throw .unknownScheme("http")
    }
    return .hub(text.hasSuffix("/") ? String(text.dropLast()) : text)
  }

  private static func check(_ text: String) throws(Mistake) {
    if text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) { throw .controlCharacter }
  }
}

extension PlaceAddress: CustomStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .folder(let path): path
    case .ssh(let host, let path): host.contains(":") ? "ssh:[\(host)]:\(path)" : "ssh:\(host):\(path)"
    case .postgreSQL(let address): Self.withoutPassword(address)
    case .hub(let address): address
    case .program(let words): words.map(ShellWord.quoted).joined(separator: " ")
    }
  }

  /// An empty mirror, so that a dump or an assertion shows no password either.
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Returns `postgresql://user:password@host/database?password=…` without passwords. If an address is invalid, it
  /// removes too much rather than too little.
  private static func withoutPassword(_ address: String) -> String {
    let scheme = "postgresql://"
    var rest = address.dropFirst(scheme.count)
    var user: Substring = ""
    if let at = rest.lastIndex(of: "@") {
      user = rest[..<at].prefix { $0 != ":" } + "@"
      rest = rest[rest.index(after: at)...]
    }
    let place = rest.prefix { $0 != "?" }
    let options = rest.dropFirst(place.count + 1).split(onBytes: "&").filter { option in
      // The name may be percent-encoded.
      let name = option.prefix { $0 != "=" }
      return !(String(name).removingPercentEncoding ?? "password").lowercased().contains("password")
    }
    return scheme + user + place + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
  }
}

// MARK: - Opening

extension PlaceAddress {
  /// Returns the program that uses the pipe protocol and its additional environment, or `nil` for a folder or a hub.
  ///
  /// - Parameter folder: the folder of reddot's own program, which also contains `reddot-postgresql`; if it is `nil`,
  ///   the PATH is searched.
  package func program(beside folder: String?) -> (words: [String], environment: [String: String])? {
    switch self {
    case .folder, .hub: return nil
    case .ssh(let host, let path):
      let options = ["BatchMode=yes", "ConnectTimeout=15", "ServerAliveInterval=30"].flatMap { ["-o", $0] }
      return (
        ["ssh", "-T"] + options + [
          host, "reddot", "sync", "serve", ShellWord.quoted(Self.path(fromHome: path)),
        ],
        [:]
      )
    case .postgreSQL(let address):
      let name = "reddot-postgresql"
      let own = folder.map { "\($0)/\(name)" } ?? name
      return ([access(own, X_OK) == 0 ? own : name], ["REDDOT_PLACE": address])
    case .program(let words): return (words, [:])
    }
  }

  /// Opens the sync location.
  ///
  /// - Parameters:
  ///   - environment: the whole environment of a program.
  ///   - hub: opens the sync location at a hub with this URL.
  package func open(
    environment: [String: String], beside folder: String? = nil,
    hub: (String) throws(PlaceFailure) -> any Place
  ) throws(PlaceFailure) -> any Place {
    if case .hub(let address) = self { return try hub(address) }
    guard let (words, more) = program(beside: folder) else { return try FolderPlace(path: description) }
    let host = if case .ssh(let host, _) = self { host } else { words[0] }
    return try PipePlace(
      words, environment: environment.merging(more) { $1 }, place: description, host: host)
  }

  /// Returns a path for a command of ssh, which begins in the home folder. In quotes, `~` would be the name of a
  /// folder, and a hyphen at its start would be an option.
  private static func path(fromHome path: String) -> String {
    if path == "~" || path == "~/" { return "." }
    let path = path.hasPrefix("~/") ? String(path.dropFirst(2).drop { $0 == "/" }) : path
    return path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
  }
}

extension PlaceAddress.Mistake: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "names no sync location"
    case .controlCharacter: "has a character that is not allowed"
    case .noHost: "names no host; write ssh:HOST:PATH"
    case .hostBeginsWithHyphen(let host): "names the host \(host), and a host cannot begin with a hyphen"
    case .noFolder: "names no folder; write ssh:HOST:PATH"
    case .badPort:
      "names a port that is not a number; a user's name ends with @, as in postgresql://ann@box/reddot"
    case .badHub: "is not the address of a hub; write https://HOST or https://HOST:PORT, without a path"
    case .unknownScheme(let scheme):
      "begins with \(scheme)://, which is not a sync location; use a folder, ssh:HOST:PATH, postgresql://HOST/DATABASE or https://HUB"
    }
  }
}
