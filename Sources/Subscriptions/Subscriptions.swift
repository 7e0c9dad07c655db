import Formats
import Foundation
import Messages
import Platform
import Settings
import Storage
package import Workspace

/// Import and export of the followed feeds as OPML.
package struct Subscriptions: Sendable {
  private let workspace: Workspace

  package init(_ workspace: Workspace) { self.workspace = workspace }

  package struct ImportReport: Sendable {
    package var added: [String]
    package var known: Int
    package var problems: [String]

    package var lines: [String] {
      added.map { "added \(SafeOutput.line($0))" } + problems.map(SafeOutput.line)
        + ["\(added.count) added, \(known) followed already"]
    }
  }

  package struct Unreadable: UserFacingError {
    package var sentence: String
  }

  /// Adds every feed that isn't followed yet: all of them, or none if the settings cannot be written.
  ///
  /// - Parameter file: a path, or `-` for standard input.
  package func importOPML(from file: String) throws -> ImportReport {
    let bytes = try Self.bytes(of: file, home: workspace.environment.home)
    let document: OPMLDocument
    do throws(OPMLFailure) {
      document = try OPML.read(bytes)
    } catch {
      throw Unreadable(sentence: "\(file) is \(error.found), not OPML")
    }
    var report = ImportReport(added: [], known: 0, problems: [])
    try workspace.settingsFile.append { current in
      var blocks: [[String]] = []
      (blocks, report) = news(of: document, from: file, beside: current)
      return blocks
    }
    return report
  }

  /// The feeds that aren't followed yet, as lines of the settings, and the report.
  private func news(
    of document: OPMLDocument, from file: String, beside current: Settings
  ) -> (blocks: [[String]], report: ImportReport) {
    // Local sources may not be in the file, and the settings may have changed since they were read.
    let followed =
      workspace.sources.map { ($0.name, $0.address) }
      + current.sources.map { ($0.name, $0.source.address) }
    var names = NewNames(besides: followed.map(\.0))
    var addresses = Set(followed.map(\.1))
    var report = ImportReport(added: [], known: 0, problems: [])
    report.problems = document.problems.map { "\(file):\($0.at): \($0.message)" }
    var blocks: [[String]] = []
    for feed in document.feeds {
      guard let address = SourceAddress.normalized(feed.url, home: workspace.environment.home) else {
        report.problems.append("\(feed.url) is not an address that can be polled")
        continue
      }
      // The author of a list must not choose which programs of this machine are asked.
      guard !SourceAddress.isSocket(address) else {
        report.problems.append("\(feed.url) is the address of a Unix socket: add it with reddot add")
        continue
      }
      guard addresses.insert(address).inserted else {
        report.known += 1
        continue
      }
      let name = names.take(feed.title, address: address)
      var source = ConfiguredSource(name: name, kind: .feed, address: address)
      let title = Self.line(feed.title)
      if title != name, !title.isEmpty { source.title = title }
      source.folder = Self.folder(feed.folders)
      source.settings.options.page = feed.page.map(Self.line)
      blocks.append(SourceEntry(source: source).lines())
      report.added.append(name)
    }
    return (blocks, report)
  }

  /// Names of folders become parts of a path: a slash in one is written as one that divides nothing.
  private static func folder(_ names: [String]) -> Folder? {
    let names = names.prefix(Folder.deepest).map { name in
      // Cut first: every feed of a folder has its name.
      let name = String(name.prefix(Folder.longestName))
      return String(line(name.replacing("/", with: "\u{2215}")).prefix(Folder.longestName))
    }
    return Folder(names.joined(separator: "/"))
  }

  /// On one line and without characters that no setting may hold.
  private static func line(_ text: String) -> String {
    SafeOutput.line(text).trimmingCharacters(in: .whitespaces)
  }

  package func exportOPML() throws -> String {
    let feeds = try workspace.statuses().filter { $0.source.kind == .feed }.map { status in
      let source = status.source
      return OPMLDocument.Feed(
        url: source.address, title: source.title ?? status.title ?? source.name,
        page: source.options.page ?? status.link, folders: source.folder?.names ?? [])
    }
    return String(decoding: OPML.write(OPMLDocument(title: "reddot", feeds: feeds)), as: UTF8.self)
  }

  /// The bytes of a file, or of standard input.
  static func bytes(of file: String, home: String) throws -> Data {
    do throws(GivenFile.Failure) {
      return try GivenFile.read(file == "-" ? file : Directories.expandingHome(file, home: home))
    } catch {
      throw Unreadable(sentence: "\(file) cannot be read: \(error.reason)")
    }
  }
}
