import Basics
import Formats
import Foundation
import Hub
import Platform

/// The settings of a hub (page "Hub", the table of settings).
struct HubSettings: Sendable {
  static let usualFile = "/etc/reddot-hub.toml"

  var place = HubOptions.Place.port("127.0.0.1", 8377)
  var socketMode: UInt32?
  /// The configured URL, or `nil` to derive it from the socket.
  var givenAddress: String?
  var store = HubStoreAddress.file("/var/lib/reddot-hub/hub.db")
  /// The maximum number of connections to a database for reading.
  var connections = Limits.hubReadConnections
  /// The command that prints the password of a database; empty for none.
  var passwordCommand: [String] = []
  var trustedProxies: [AddressRange] = []
  var isBehindProxy = false
  /// The certificate files, or `nil` without TLS.
  var tls: HubTLSFiles?
  var rates = HubOptions.Rates()
  /// The maximum number of readers that wait for new items at the same time.
  var waiting = Limits.hubWaiting
  /// Whether `serve` updates an older schema of the store.
  var migrates = false
  var hooks: [HookSettings] = []
  /// The file of the settings, or `nil` if there is none.
  var file: String?

  /// The URL of the hub, without a slash at its end.
  var address: String {
    if let givenAddress { return givenAddress }
    if case .port(let host, let port) = place { return "http\(tls == nil ? "" : "s")://\(host):\(port)" }
    return "http://localhost"
  }

  var options: HubOptions {
    var options = HubOptions(place: place, address: address)
    options.trustedProxies = trustedProxies
    options.isBehindProxy = isBehindProxy
    if let socketMode { options.socketMode = socketMode }
    options.rates = rates
    options.waiting = waiting
    options.tls = tls
    options.connections = waiting + Limits.hubConnections
    options.version = HubProgram.version
    return options
  }

  /// Reads a file of settings.
  ///
  /// - Parameter file: the file, or `nil` for the default one, which may be missing.
  /// - Throws: `HubSettingsMistakes`.
  static func read(file: String?) throws -> HubSettings {
    let path = file ?? usualFile
    if file == nil, !FileManager.default.fileExists(atPath: path) { return HubSettings() }
    func mistake(_ problem: String) -> HubSettingsMistakes {
      HubSettingsMistakes(mistakes: [.init(file: path, line: 0, key: "", problem: problem)])
    }
    let bytes: Data
    do throws(BoundedFile.Failure) {
      bytes = try BoundedFile.read(path, limit: Limits.hubSettingsBytes)
    } catch {
      throw mistake(error.reason)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw mistake("is not text in UTF-8")
    }
    var settings = try HubSettingsReader(file: path, text: text).read()
    settings.file = path
    return settings
  }
}

/// An error in the settings: its position and the allowed values.
struct HubSettingsMistake: Hashable {
  var file: String
  /// The line, from 1, or 0 if it isn't known.
  var line: Int
  var key: String
  var problem: String

  /// The error as `file:line: key: problem`, as in compilers' messages.
  var sentence: String {
    "\(file)\(line > 0 ? ":\(line)" : ""): \(key.isEmpty ? "" : "\(key): ")\(problem)"
  }
}

/// All errors in one file.
struct HubSettingsMistakes: Error {
  var mistakes: [HubSettingsMistake]

  var sentence: String {
    let first = mistakes.first?.sentence ?? "the settings cannot be read"
    return mistakes.count > 1 ? "\(first) (and \(mistakes.count - 1) more)" : first
  }
}

/// Reads the settings, and collects all errors instead of stopping at the first.
final class HubSettingsReader {
  private let file: String
  private let text: String
  private var root = TOMLTable()
  private var mistakes: [HubSettingsMistake] = []

  init(file: String, text: String) {
    self.file = file
    self.text = text
  }

  func read() throws -> HubSettings {
    do {
      root = try TOMLDocument(text).root
    } catch {
      mistakes = [HubSettingsMistake(file: file, line: error.line, key: "", problem: error.problem)]
      throw HubSettingsMistakes(mistakes: mistakes)
    }
    var settings = HubSettings()
    for key in root.keys {
      guard let value = root[key] else { continue }
      read(key, value, into: &settings)
    }
    if case .port(let host, _) = settings.place, !settings.isBehindProxy, settings.tls == nil,
      !Self.isLoopback(host)
    {
      report(
        "listen",
        "others could read tokens on the way to \(host); listen on 127.0.0.1, or set behind_proxy = true or [tls]"
      )
    }
    guard mistakes.isEmpty else {
      throw HubSettingsMistakes(mistakes: mistakes.sorted { $0.line < $1.line })
    }
    return settings
  }

  private func read(_ key: String, _ value: TOMLValue, into settings: inout HubSettings) {
    switch key {
    case "listen":
      if let place = value.string.flatMap(Self.place) {
        settings.place = place
      } else {
        report(key, "must be a host and a port such as \"127.0.0.1:8377\", or \"unix:/run/reddot-hub/sock\"")
      }
    case "socket_mode":
      if let mode = value.string.flatMap({ UInt32($0, radix: 8) }), mode <= 0o777 {
        settings.socketMode = mode
      } else {
        report(key, "must be the mode of the socket in octal digits, such as \"0660\"")
      }
    case "address":
      if let text = value.string, Self.isWebAddress(text) {
        settings.givenAddress = text.hasSuffix("/") ? String(text.dropLast()) : text
      } else {
        report(key, "must be an address such as \"https://hub.example\"")
      }
    case "store":
      do throws(HubDatabaseOptions.Mistake) {
        settings.store = try HubStoreAddress(value.string ?? "")
      } catch {
        report(key, error.sentence)
      }
    case "trusted_proxies":
      if let ranges = Self.ranges(value.array) {
        settings.trustedProxies = ranges
      } else {
        report(key, "must be a list of addresses, such as [\"10.0.0.0/8\", \"::1\"]")
      }
    case "behind_proxy": if let flag = flag(key, value) { settings.isBehindProxy = flag }
    case "auto_migrate": if let flag = flag(key, value) { settings.migrates = flag }
    case "connections":
      if let number = number(key, value, 1...Limits.hubMostReadConnections) { settings.connections = number }
    case "password_command":
      if let words = Self.words(value.array), words.first?.isEmpty != true {
        settings.passwordCommand = words
      } else {
        report(key, "must be a program and its arguments, such as [\"cat\", \"/run/credentials/db\"]")
      }
    case "waiting_max":
      if let number = number(key, value, 0...1_000_000) { settings.waiting = number }
    case "limits":
      guard let table = value.table else {
        return report(key, "must be a table, such as { publish_per_minute = 600 }")
      }
      for key in table.keys {
        guard let value = table[key] else { continue }
        let full = "limits.\(key)"
        switch key {
        case "publish_per_minute":
          if let number = number(full, value, 1...1_000_000, in: table) { settings.rates.publish = number }
        case "read_per_minute":
          if let number = number(full, value, 1...1_000_000, in: table) { settings.rates.read = number }
        case "failed_tokens_per_minute":
          if let number = number(full, value, 1...1_000_000, in: table) {
            settings.rates.failedTokens = number
          }
        default: report(full, "is not a setting of this reddot-hub", in: table)
        }
      }
    case "tls": settings.tls = tls(value)
    case "hook": settings.hooks = hooks(value)
    default: report(key, "is not a setting of this reddot-hub")
    }
  }

  private func tls(_ value: TOMLValue) -> HubTLSFiles? {
    guard let table = value.table else {
      report("tls", "must be a table: [tls]")
      return nil
    }
    var paths: [String: String] = [:]
    for key in table.keys {
      guard ["certificate", "key"].contains(key) else {
        report("tls.\(key)", "is not a setting of this reddot-hub", in: table)
        continue
      }
      if let path = table[key]?.string, path.hasPrefix("/") {
        paths[key] = path
      } else {
        report("tls.\(key)", "must be the path of a file, such as \"/etc/ssl/hub.pem\"", in: table)
      }
    }
    for key in ["certificate", "key"] where table[key] == nil { report("tls", "needs a \(key)") }
    guard let certificate = paths["certificate"], let key = paths["key"] else { return nil }
    return HubTLSFiles(certificate: certificate, key: key)
  }

  private func flag(_ key: String, _ value: TOMLValue) -> Bool? {
    if let flag = value.bool { return flag }
    report(key, "must be true or false")
    return nil
  }

  private func number(
    _ key: String, _ value: TOMLValue, _ range: ClosedRange<Int>, in table: TOMLTable? = nil
  ) -> Int? {
    if let number = value.int, range.contains(number) { return number }
    report(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", in: table)
    return nil
  }

  /// Adds an error.
  ///
  /// - Parameters:
  ///   - key: the key with the name of its table, as in `hook.name`.
  ///   - table: the table; the top level by default.
  func report(_ key: String, _ problem: String, in table: TOMLTable? = nil) {
    let name = key.split(onBytes: ".", maxSplits: 1).last ?? ""
    let line = table?.line(of: String(name)) ?? root.line(of: key)
    mistakes.append(HubSettingsMistake(file: file, line: line, key: key, problem: problem))
  }

  // MARK: Values

  private static func isWebAddress(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme, let host = url.host() else { return false }
    return (scheme == "http" || scheme == "https") && !host.isEmpty && url.query == nil
  }

  /// Returns the strings of an array, or `nil` if an element isn't a string.
  private static func words(_ array: [TOMLValue]?) -> [String]? {
    guard let array else { return nil }
    var words: [String] = []
    for value in array {
      guard let word = value.string, !word.utf8.contains(0) else { return nil }
      words.append(word)
    }
    return words
  }

  /// Returns the ranges of an array, or `nil` if an element isn't an address or a range of addresses.
  private static func ranges(_ array: [TOMLValue]?) -> [AddressRange]? {
    guard let array else { return nil }
    var ranges: [AddressRange] = []
    for value in array {
      guard let text = value.string, let range = AddressRange(text) else { return nil }
      ranges.append(range)
    }
    return ranges
  }

  /// Returns the socket for `unix:/PATH` or `HOST:PORT`, or `nil` for any other text.
  private static func place(_ text: String) -> HubOptions.Place? {
    if text.hasPrefix("unix:/") { return .socket(String(text.dropFirst("unix:".count))) }
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port), colon > text.startIndex
    else { return nil }
    let host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    return .port(String(isBracketed ? host.dropFirst().dropLast() : host), port)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.") && AddressRange(host) != nil
  }
}
