import Basics
package import Messages
import Synchronization

extension Inspector {
  /// Runs a command once, and returns the messages that a source with this command would get. Nothing is stored.
  ///
  /// - Parameters:
  ///   - source: a source of kind `command`.
  ///   - context: a context without a log.
  package static func inspect(
    _ source: Source, programs: CommandPrograms, context: PollContext
  ) async -> Result<Inspection, FetchFailure> {
    let complaints = Mutex<[String]>([])
    var context = context
    context.log = { line in complaints.withLock { $0.append(line) } }
    let outcome = await CommandAdapter(programs: programs).poll(
      source, position: PollPosition(), context: context)
    switch outcome {
    case .failed(let failure, _): return .failure(failure)
    case .notModified: return .success(Inspection(format: "unknown", messages: [], problems: []))
    case .content(let content, _):
      var inspection = Inspection(
        format: source.options.format ?? CommandFormat.items.rawValue, kind: .command, title: content.title,
        link: content.link, messages: content.messages,
        problems: content.problems + content.ignoredKeys.map { FormatProblem.ignored(key: $0) }
          + complaints.withLock { $0 }.map { FormatProblem(at: "standard error", message: $0) })
      inspection.notices = content.features
      inspection.first = .parts([outcome])
      return .success(inspection)
    }
  }
}
