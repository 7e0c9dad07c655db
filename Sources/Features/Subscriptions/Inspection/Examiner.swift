import Basics
import Formats
package import Foundation
import HTTP
package import Messages
package import Platform
import Polling
import Profile
package import Services
package import Settings
import Storage
import Words

/// Reads a file, a URL or the output of a command, to show how reddot reads it. Nothing is stored.
package struct Examiner: Sendable {
  package let environment: Environment
  package let settings: @Sendable () throws -> Settings
  private let threads = WorkThreads()

  /// - Parameter settings: called only before requests, so that files can be examined even if the settings have an
  ///   error.
  package init(_ environment: Environment, settings: @escaping @Sendable () throws -> Settings) {
    self.environment = environment
    self.settings = settings
  }

  /// Fetches and reads a document.
  ///
  /// - Parameters:
  ///   - target: a URL, a path, or `-` for standard input.
  ///   - options: the options for the request, or `nil` for those of the source with this address, if there is one.
  /// - Throws: `FetchFailure`, or an error of `settings`.
  package func inspect(
    _ target: String, kind: SourceKind?, token: String? = nil, user: String? = nil,
    options: SourceOptions? = nil
  ) async throws -> Inspection {
    let address =
      SourceAddress.normalized(target, home: environment.home) ?? URL(fileURLWithPath: target).absoluteString
    let settings = target == "-" || address.hasPrefix("file:") ? Settings() : try settings()
    var source = Source(id: SourceID(0), name: "", kind: .feed, address: address)
    let known = settings.sources.first { $0.source.address == address }
    source.settings.options = options ?? known?.source.settings.options ?? SourceOptions()
    // The inbox also uses this to add a source: a large document must not delay keys.
    return try await threads.run { [source] in
      await inspection(of: target, source, kind: kind, token: token, user: user, settings)
    }.get()
  }

  /// Reads standard input, a folder, a file or a URL.
  private func inspection(
    of target: String, _ source: Source, kind: SourceKind?, token: String?, user: String?,
    _ settings: Settings
  ) async -> Result<Inspection, FetchFailure> {
    let context = PollContext(now: environment.now(), language: environment.language ?? "en")
    if target == "-" {
      let bytes: Data
      do throws(GivenFile.Failure) { bytes = try GivenFile.read(target) } catch {
        return .failure(.file(path: error.name, reason: error.reason))
      }
      return .success(
        Inspector.inspect(bytes, kind: kind, address: "file:///dev/stdin", context: context))
    }
    // Only a calendar may be a folder.
    if let folder = Self.folder(source.address) {
      do throws(FetchFailure) {
        guard kind ?? .calendar == .calendar else {
          throw .file(path: folder, reason: "it is a folder, but only a calendar may be a folder")
        }
        let reading = try CalendarReading.read(folder)
        if kind == nil, reading.isEmptyFolder {
          throw .file(path: folder, reason: Self.noFiles(in: folder))
        }
        return .success(Inspection(reading))
      } catch {
        return .failure(error)
      }
    }
    let transport = LiveTransport(environment.transportOptions(settings))
    let result = await fetch(source, transport, token, user: user, context)
    await transport.shutdown()
    return result.map { document in
      var inspection = Inspector.inspect(
        document.bytes, kind: kind, charset: document.charset, mediaType: document.mediaType,
        offered: document.offeredFeeds, address: document.address, context: context)
      inspection.first = .document(document)
      return inspection
    }
  }

  /// Returns the reason why a folder without `.ics` files can't be followed, with the folders in it that can.
  private static func noFiles(in folder: String) -> String {
    let calendars = CalendarReading.calendars(in: folder)
    if calendars.isEmpty {
      return "it is a folder without .ics files (a calendar that is still empty needs --kind calendar)"
    }
    let names = calendars.prefix(10).joined(separator: ", ") + (calendars.count > 10 ? ", …" : "")
    return
      "it is a folder without .ics files, but these folders inside of it have some; add each of them: \(names)"
  }

  /// Returns the path of a `file:` URL if it is that of an existing folder, otherwise `nil`.
  package static func folder(_ address: String) -> String? {
    guard let url = URL(string: address), url.isFileURL else { return nil }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return isThere && isFolder.boolValue ? url.path : nil
  }

  /// Runs a command in the current folder, and returns the messages that a source with this command would get.
  ///
  /// - Parameter installed: the time of reddot's installation, from which relative times are counted, or `nil` for now.
  /// - Throws: `FetchFailure`.
  package func inspect(
    command words: [String], format: String?, installed: Date? = nil
  ) async throws -> Inspection {
    var source = Source(id: Source.unregistered, name: words.first ?? "", kind: .command, address: "")
    source.options.command = words
    source.options.format = format
    let context = PollContext(
      now: environment.now(), language: environment.language ?? "en",
      installed: installed ?? environment.now())
    let programs = CommandPrograms(
      runner: environment.programs, environment: environment.variables,
      directory: FileManager.default.currentDirectoryPath)
    return try await threads.run { [source] in
      await Inspector.inspect(source, programs: programs, context: context)
    }.get()
  }

  /// Returns the output of `reddot inspect` for a command.
  package func report(command words: [String], format: String?, asJSON: Bool) async throws -> Report {
    let inspection = try await inspect(command: words, format: format)
    return Report(
      text: asJSON ? inspection.json(at: environment.now()) : inspection.text(environment), isKnown: true)
  }

  /// The output of `reddot inspect`, and what it shows about the document.
  package struct Report: Sendable {
    package var text: String
    /// Whether reddot can read the document.
    package var isKnown: Bool
    /// Whether parts of the document could not be read, or are invalid.
    package var hasProblems = false

    package init(text: String, isKnown: Bool, hasProblems: Bool = false) {
      (self.text, self.isKnown, self.hasProblems) = (text, isKnown, hasProblems)
    }
  }

  /// Returns the output of `reddot inspect` for a document.
  ///
  /// - Parameters:
  ///   - config, database: paths that replace the XDG paths; the times of a schedule depend on these files.
  package func report(
    _ target: String, kind: SourceKind?, asJSON: Bool, config: String?, database: String?
  ) async throws -> Report {
    let inspection = try await inspect(target, kind: kind)
    let preview = try inspection.schedule.map {
      try SchedulePreview.here($0, config: config, database: database, environment: environment)
    }
    let calendar = inspection.calendar.map { CalendarPreview($0, environment) }
    return Report(
      text: asJSON
        ? inspection.json(preview, calendar, at: environment.now())
        : inspection.text(environment, preview, calendar),
      isKnown: inspection.isKnown, hasProblems: !inspection.problems.isEmpty)
  }

  /// Fetches a document from a file or a URL.
  private func fetch(
    _ source: Source, _ transport: LiveTransport, _ token: String?, user: String?, _ context: PollContext
  ) async -> Result<Fetcher.Document, FetchFailure> {
    var context = context
    context.credential = .configured(token: token, user: user, address: source.address)
    let answer = await Fetcher(transport: transport).fetch(
      source, position: PollPosition(),
      accept: "application/json, application/atom+xml, application/rss+xml, */*;q=0.5",
      context: context)
    switch answer {
    case .document(let document): return .success(document)
    case .failed(let failure, _): return .failure(failure)
    case .notModified: return .failure(.malformed(line: nil, reason: "304 to a request without validators"))
    }
  }
}

extension Inspection {
  /// Returns the output as a JSON object: `{"format", "title", "link", "messages", "problems", "left_out"}`. A schedule
  /// file also has `entries`; a calendar has `events`, `todos` and `next_alarm`; and a native feed with notifications
  /// that are not shown has `features`.
  package func json(
    _ preview: SchedulePreview? = nil, _ calendar: CalendarPreview? = nil, at now: Date
  ) -> String {
    let switched = notices.enumerated().map { place, notice in
      HiddenText.object(notice, relativeHours: noticeHours[place], at: now)
    }
    return SafeOutput.json(
      .object(
        JSONObject(
          [
            .init(key: "format", value: .string(format)), .init(key: "title", value: MessageJSON.text(title)),
            .init(key: "link", value: MessageJSON.text(link)),
            .init(
              key: "messages", value: .array(messages.indices.map { .object(messageJSON($0)) })),
            .init(
              key: "problems",
              value: .array((problems + (calendar?.problems ?? [])).map(MessageJSON.problem))),
            .init(key: "left_out", value: .integer(problems.leftOut)),
          ] + (preview.map { [.init(key: "entries", value: $0.entriesJSON)] } ?? [])
            + (calendar?.json ?? [])
            + (switched.isEmpty ? [] : [.init(key: "features", value: .array(switched))]))))
  }

  private func messageJSON(_ place: Int) -> JSONObject {
    var object = MessageJSON.object(messages[place], source: nil)
    if let hours = relativeHours[place] { object["relativetime"] = .double(hours) }
    return object
  }

  /// Returns a start time relative to the installation, in words.
  private static func start(_ hours: Double) -> String {
    let number = hours == hours.rounded() ? "\(Int(hours))" : "\(hours)"
    return "\(number) \(hours == 1 ? "hour" : "hours") after reddot's first start"
  }

  /// Returns the output as text.
  package func text(
    _ environment: Environment, _ preview: SchedulePreview? = nil, _ calendar: CalendarPreview? = nil
  ) -> String {
    var lines = ["format: \(format)"]
    if let title { lines.append("title: \(SafeOutput.line(title))") }
    if let link { lines.append("link: \(SafeOutput.line(link))") }
    for feed in alternates {
      lines.append(
        "feed: \(SafeOutput.line(feed.url))" + (feed.title.map { " (\(SafeOutput.line($0)))" } ?? ""))
    }
    if kind == .banners {
      lines.append("banners: \(banners.count)")
      lines += banners.map { "  \(SafeOutput.line($0))" }
    } else if let calendar {
      lines += calendar.lines
    } else if let preview {
      lines += preview.lines
    } else if kind != nil {
      lines.append("messages: \(messages.count)")
    }
    if problems.leftOut > 0 { lines.append("left out: \(problems.leftOut)") }
    for (place, message) in messages.enumerated() {
      let date =
        message.published.map { environment.wallTime($0) }
        ?? relativeHours[place].map { "(\(Self.start($0)))" } ?? "(no date)"
      lines.append("")
      lines.append("\(date)  \(SafeOutput.line(message.title))")
      lines.append("  id: \(SafeOutput.line(message.remoteID.text))")
      if let url = message.url { lines.append("  link: \(SafeOutput.line(url))") }
      if let author = message.author { lines.append("  author: \(SafeOutput.line(author))") }
      let body = SafeOutput.lines(message.body).split(onBytes: "\n", omittingEmptySubsequences: false)
      if !message.body.isEmpty { lines += body.prefix(6).map { "  | \($0)" } }
      if body.count > 6 { lines.append("  | … \(body.count - 6) more lines") }
    }
    for (place, notice) in notices.enumerated() {
      lines.append("")
      lines += HiddenText.lines(notice, from: noticeHours[place].map(Self.start), environment)
    }
    if preview != nil, !problems.isEmpty { lines.append("") }
    for problem in problems + (calendar?.problems ?? []) {
      let place = problem.at.isEmpty ? "" : "\(SafeOutput.line(problem.at)): "
      lines.append("problem: \(place)\(SafeOutput.line(problem.message))")
    }
    return lines.joined(separator: "\n")
  }
}
