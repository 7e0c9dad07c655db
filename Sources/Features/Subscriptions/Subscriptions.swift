import Basics
import Formats
import Foundation
import HTTP
import Messages
import Platform
package import Profile
import Settings
import Storage
import Words

/// Imports and exports the followed feeds as OPML.
package struct Subscriptions: Sendable {
  let profile: Profile
  /// The maximum number of new feeds of one import.
  let feedsAtMost: Int

  package init(_ profile: Profile, feedsAtMost: Int = Limits.importedFeeds) {
    (self.profile, self.feedsAtMost) = (profile, feedsAtMost)
  }

  /// The result of an import.
  package struct ImportReport: Sendable {
    /// The names of the added feeds.
    package var added: [String] = []
    /// The number of feeds that were already followed.
    package var known = 0
    /// Sentences about additions other than feeds.
    package var others: [String] = []
    /// The number of articles that have flags in the other program, and so get a star.
    var starred = 0
    /// The number of imported articles.
    package var articles = 0
    /// Sentences about the parts that were not imported, with the reasons.
    package var problems: [String] = []
    /// Whether some feeds of the list were not added.
    package var isPartial = false

    package var lines: [String] {
      let articles = articles == 0 ? "" : ", with \(articles) \(articles == 1 ? "article" : "articles")"
      return added.map { "added \(SafeOutput.line($0))" } + others.map(SafeOutput.line)
        + problems.map(SafeOutput.line)
        + ["\(added.count) added\(articles), \(known) already followed"]
    }
  }

  /// The error for a file that cannot be read.
  package struct Unreadable: UserFacingError {
    package var sentence: String
  }

  /// Adds every feed of an OPML file that isn't followed yet: all of them, or none if the settings cannot be written.
  ///
  /// - Parameter file: a path, or `-` for standard input.
  package func importOPML(from file: String) throws -> ImportReport {
    try add(document(in: file), from: file)
  }

  /// Parses an OPML file. This is a separate function, so that the bytes of the file are not kept while the settings
  /// are written.
  private func document(in file: String) throws -> OPMLDocument {
    do {
      return try OPML.read(try Unpacked.bytes(try Self.bytes(of: file, home: profile.environment.home)))
    } catch is ContentDecoder.Failure {
      throw Unreadable(sentence: "\(file) cannot be unpacked: it is damaged or too large")
    } catch let failure as OPMLFailure {
      throw Unreadable(sentence: "\(file) is \(failure.found), not OPML")
    }
  }

  /// Imports a file if it is an OPML file, otherwise returns `nil`.
  func importIfOPML(_ path: String) throws -> ImportReport? {
    let whole = Directories.expandingHome(path, home: profile.environment.home)
    guard whole.hasPrefix("/"), FileManager.default.fileExists(atPath: whole) else { return nil }
    let bytes: Data
    do throws(BoundedFile.Failure) {
      bytes = try BoundedFile.read(whole, limit: Limits.givenFileBytes)
    } catch {
      // The file is then examined as a source, which gives the reason.
      return nil
    }
    guard let unpacked = try? Unpacked.bytes(bytes), let document = try? OPML.read(unpacked) else {
      return nil
    }
    return try add(document, from: path)
  }

  /// Adds the feeds of a list that aren't followed yet to the settings.
  ///
  /// - Parameter titled: the addresses of feeds whose titles are the user's own and not the servers'.
  func add(
    _ document: OPMLDocument, from file: String, titled: Set<String> = []
  ) throws -> ImportReport {
    var report = ImportReport()
    try profile.settingsFile.append { current in
      var blocks: [[String]] = []
      (blocks, report) = news(of: document, from: file, titled, beside: current)
      return blocks
    }
    return report
  }

  /// Returns the feeds that aren't followed yet, as lines of the settings, and the report.
  private func news(
    of document: OPMLDocument, from file: String, _ titled: Set<String>, beside current: Settings
  ) -> (blocks: [[String]], report: ImportReport) {
    // Local sources may not be in the file, and the settings may have changed since they were read.
    let followed =
      profile.sources.map { ($0.name, $0.address) }
      + current.sources.map { ($0.name, $0.source.address) }
    var names = NewNames(besides: followed.map(\.0))
    var addresses = Set(followed.map(\.1))
    var report = ImportReport()
    report.problems = document.problems.map { "\(file):\($0.at): \($0.message)" }
    report.isPartial = !document.isComplete
    var blocks: [[String]] = []
    for feed in document.feeds {
      // A path belongs to the site of the list, not to this machine.
      guard !feed.url.hasPrefix("/"), !feed.url.hasPrefix("~"),
        let address = SourceAddress.normalized(feed.url, home: profile.environment.home)
      else {
        report.problems.append("\(feed.url) is not an address that can be polled")
        report.isPartial = true
        continue
      }
      // The author of a list must not choose which programs of this machine receive requests.
      guard !SourceAddress.isSocket(address) else {
        report.problems.append("\(feed.url) is the address of a Unix socket; add it with reddot add")
        report.isPartial = true
        continue
      }
      guard addresses.insert(address).inserted else {
        report.known += 1
        continue
      }
      guard report.added.count < feedsAtMost else {
        report.problems.append(
          "only the first \(feedsAtMost) new feeds of \(file) were added; import it again for the others")
        report.isPartial = true
        break
      }
      let name = names.next(feed.title, address: address)
      var source = ConfiguredSource(name: name, kind: .feed, address: address)
      let title = Self.line(feed.title)
      if title != name || titled.contains(feed.url), !title.isEmpty { source.title = title }
      source.folder = Self.folder(feed.folders)
      source.settings.options.page = feed.page.map(Self.line)
      let others = feed.alsoIn.compactMap { Self.folder($0)?.path }
      if !others.isEmpty { source.settings.options.alsoIn = others }
      blocks.append(SourceEntry(source: source).lines())
      report.added.append(name)
    }
    return (blocks, report)
  }

  /// The character that replaces a slash in the name of a folder, because a slash separates names in a path.
  private static let slash = "\u{2215}"

  /// Returns the folder whose path consists of the names, or `nil` without names.
  private static func folder(_ names: [String]) -> Folder? {
    let names = names.prefix(Folder.deepest).map { name in
      // The name is shortened first, because every feed of a folder repeats it.
      let name = String(name.prefix(Folder.longestName))
      return String(line(name.replacingBytes("/", with: slash)).prefix(Folder.longestName))
    }
    return Folder(names.joined(separator: "/"))
  }

  /// Returns the names of a folder, with their slashes restored.
  private static func names(_ folder: Folder?) -> [String] {
    folder?.names.map { $0.replacingBytes(slash, with: "/") } ?? []
  }

  /// Returns the text as one line, without characters that a setting can't contain.
  private static func line(_ text: String) -> String {
    SafeOutput.line(text).trimmingCharacters(in: .whitespaces)
  }

  /// Returns the followed feeds as OPML, and the names of the feeds whose URLs contain a user name or a password. These
  /// are removed from the URLs, because such lists are given to other people.
  package func exportOPML() throws -> (document: String, withoutPassword: [String]) {
    var secret: [String] = []
    let feeds = try profile.statuses().filter { $0.source.kind == .feed }.map { status in
      let source = status.source
      let address = UserInfo.removed(from: source.address)
      if address != source.address { secret.append(source.name) }
      var feed = OPMLDocument.Feed(
        url: address, title: source.title ?? status.title ?? source.name,
        page: source.options.page ?? status.link, folders: Self.names(source.folder))
      feed.alsoIn = (source.options.alsoIn ?? []).compactMap { Folder($0).map(Self.names) }
      return feed
    }
    let bytes = OPML.write(OPMLDocument(title: "reddot", feeds: feeds))
    return (String(decoding: bytes, as: UTF8.self), secret)
  }

  /// Returns the bytes of a file, or of standard input.
  static func bytes(of file: String, home: String) throws -> Data {
    do throws(GivenFile.Failure) {
      return try GivenFile.read(file == "-" ? file : Directories.expandingHome(file, home: home))
    } catch {
      throw Unreadable(sentence: "\(file) cannot be read: \(error.reason)")
    }
  }
}
