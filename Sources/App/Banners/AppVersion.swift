import Foundation
import Messages
import Synchronization

/// The version that `appVersionLessThan` compares with: the source's, or what its command prints, or reddot's own.
struct AppVersion: Sendable {
  private let workspace: Workspace
  private let deadline: Duration

  /// The most that is read of what a command prints, in bytes.
  private static let limit = 4096

  init(_ workspace: Workspace, deadline: Duration = .seconds(5)) {
    self.workspace = workspace
    self.deadline = deadline
  }

  func resolve(_ source: Source) async -> (text: String, failure: StageFailure?) {
    if let version = source.appVersion { return (version, nil) }
    let own = workspace.surroundings.version
    let command = workspace.settings.sources.first { $0.name == source.name }?.appVersionCommand ?? []
    guard !command.isEmpty else { return (own, nil) }
    let environment = workspace.surroundings.environment
    let deadline = deadline
    let run = Run(deadline: .now + deadline)
    let result: Result<String, Refusal> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: Self.output(of: command, environment, run))
        }
      }
    } onCancel: {
      run.isCancelled.store(true, ordering: .relaxed)
    }
    switch result {
    case .success(let version): return (version, nil)
    case .failure(let refusal): return (own, .appVersion(source: source.name, reason: refusal.reason))
    }
  }

  private struct Refusal: Error {
    var reason: String
  }

  private final class Run: Sendable {
    let deadline: ContinuousClock.Instant
    let isCancelled = Atomic<Bool>(false)

    init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

    /// Until somebody should look again; nil once it is over.
    var patience: Duration? {
      let left = deadline - .now
      return isCancelled.load(ordering: .relaxed) || left <= .zero ? nil : min(left, .milliseconds(100))
    }
  }

  private static func output(
    of command: [String], _ environment: [String: String], _ run: Run
  ) -> Result<String, Refusal> {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Its complaints would overwrite the screen.
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      return .failure(Refusal(reason: "cannot be started: \(SystemReason.words(error))"))
    }
    let bytes = read(pipe.fileHandleForReading.fileDescriptor, run)
    if bytes == nil { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    guard let bytes else { return .failure(Refusal(reason: "printed no version in time")) }
    guard process.terminationStatus == 0 else {
      return .failure(Refusal(reason: "ended with status \(process.terminationStatus)"))
    }
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).lazy
      .map { $0.trimmingCharacters(in: .whitespaces) }.first { !$0.isEmpty }
    return line.map { .success($0) } ?? .failure(Refusal(reason: "printed nothing"))
  }

  /// nil where it is not at its end in time, or prints more than any version has.
  private static func read(_ descriptor: Int32, _ run: Run) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: limit)
    while bytes.count <= limit, let patience = run.patience {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&state, 1, Int32((patience / .milliseconds(1)).rounded(.up)))
      if ready < 0, errno != EINTR { return nil }
      guard ready > 0 else { continue }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count <= 0 { return count == 0 ? bytes : nil }
      bytes.append(contentsOf: buffer.prefix(count))
    }
    return nil
  }
}
