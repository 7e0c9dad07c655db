package import Messages
package import Storage

/// Everything a person can set, decoded once. A key that is absent has the default that stands here.
package struct Settings: Hashable, Sendable {
  /// BCP 47; nil takes the locale's.
  package var language: String?
  package var polling = PollSettings()
  /// Name, connection and handshake of one request.
  package var connectTimeout: Duration = .seconds(15)
  /// For sources that do not say otherwise.
  package var tokenTimeout = SourceEntry.defaultTokenTimeout
  /// Command names to key names, as written.
  package var keys: [String: [String]] = [:]
  package var usesMouse = true
  package var animations = true
  /// How long a lone Escape waits for the rest of a key's sequence; nil takes ncurses's `ESCDELAY`, else 25 ms.
  package var escapeDelay: Duration?
  /// Program and arguments that open a link; the link is appended as one argument.
  package var openCommand: [String] = ["xdg-open"]
  /// Program and arguments that play a sound; its name is appended. Empty rings the terminal's bell.
  package var soundCommand: [String] = []
  /// What banner conditions take for the system's version.
  package var osVersion: String?
  /// For sources that do not say otherwise.
  package var retention = Retention.everything
  /// Categories of APNs payloads to the actions they offer.
  package var categories: [String: [MessageAction]] = [:]
  package var sources: [SourceEntry] = []

  package init() {}

  /// The same without the lines on which sources stand: equal where a person would say that nothing has changed.
  package var withoutLines: Settings {
    var settings = self
    for index in settings.sources.indices { settings.sources[index].line = 0 }
    return settings
  }
}

/// One `[[source]]`.
package struct SourceEntry: Hashable, Sendable {
  package var source: ConfiguredSource
  package var credential: CredentialOrigin?
  /// Name, connection and handshake of one request.
  package var connectTimeout: Duration = .seconds(15)
  /// Time for a `token_command`.
  package var tokenTimeout = Self.defaultTokenTimeout
  /// Prints the version that banner conditions compare with.
  package var appVersionCommand: [String] = []
  /// Run for each feature that the source switches.
  package var featureCommand: [String] = []
  /// The folder of `<language>.lproj` folders for its APNs payloads.
  package var strings: String?
  /// Where it stands in the file.
  package var line: Int

  package var name: String { source.name }

  /// Long enough for a password store that asks a server, short enough for a poll.
  package static let defaultTokenTimeout = Duration.seconds(10)

  package init(
    source: ConfiguredSource, credential: CredentialOrigin? = nil, strings: String? = nil, line: Int = 0
  ) {
    self.strings = strings
    self.source = source
    self.credential = credential
    self.line = line
  }
}

/// Where a source's token comes from. The token itself is read when a request needs it.
package enum CredentialOrigin: Hashable, Sendable {
  case command([String])
  case file(String)
  case environment(String)
  /// Accepted only in a file that others cannot read.
  case plain(String)
}

/// A mistake in the settings: where, what, and what would be right.
package struct SettingsMistake: Error, Hashable, Sendable {
  package var file: String
  /// 1-based; 0 where no line can be named.
  package var line: Int
  package var key: String
  package var problem: String

  package init(file: String, line: Int, key: String, problem: String) {
    self.file = file
    self.line = line
    self.key = key
    self.problem = problem
  }

  /// `file:line: key: problem`, as compilers write it so that editors can jump there.
  package var sentence: String {
    let place = line > 0 ? "\(file):\(line)" : file
    return key.isEmpty ? "\(place): \(problem)" : "\(place): \(key): \(problem)"
  }
}

/// All mistakes of one reading, in the order of the file.
package struct SettingsMistakes: Error, Sendable {
  package var mistakes: [SettingsMistake]
}
