import Foundation

/// A view's engine, in a child process that is started at the first event and ended with the view.
package actor ScriptProcess {
  /// Why there was no answer; the view keeps its last screen and says so.
  package enum Failure: Error, Hashable, Sendable {
    case cannotStart(reason: String)
    /// It used more processor time or memory than an event may, or took too long.
    case overran
  }

  private let executable: String
  private let arguments: [String]
  /// Wall time for one event; the child's own limit counts only processor time.
  private let deadline: Duration
  private var process: Process?
  private var input: FileHandle?
  private var output: FileHandle?
  private var isOver = false

  package init(executable: String, arguments: [String], deadline: Duration = .seconds(2)) {
    self.executable = executable
    self.arguments = arguments
    self.deadline = deadline
  }

  /// Sends one event and waits for what the script asked for.
  package func send(_ request: ScriptRequest) async throws(Failure) -> ScriptReply {
    if isOver { throw .overran }
    if process == nil { try start() }
    guard let input, let output, let process else { throw .overran }
    let timer = DispatchSource.makeTimerSource()
    let components = deadline.components
    let wait = Double(components.seconds) + Double(components.attoseconds) / 1e18
    timer.schedule(deadline: .now() + wait)
    let pid = process.processIdentifier
    timer.setEventHandler { kill(pid, SIGKILL) }
    timer.activate()
    defer { timer.cancel() }
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<ScriptAnswer?, Never>) in
      DispatchQueue.global().async {
        continuation.resume(returning: Self.exchange(request, input, output))
      }
    }
    guard let answer else {
      end()
      throw .overran
    }
    return answer.reply
  }

  /// Ends the child. An event under way fails.
  package func end() {
    isOver = true
    if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process?.waitUntilExit()
    process = nil
    input = nil
    output = nil
  }

  private func start() throws(Failure) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = [:]
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    let toChild = Pipe()
    let fromChild = Pipe()
    process.standardInput = toChild
    process.standardOutput = fromChild
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .cannotStart(reason: "\(error.localizedDescription)")
    }
    self.process = process
    input = toChild.fileHandleForWriting
    output = fromChild.fileHandleForReading
  }

  /// nil where the child is gone or answers what is no answer.
  private nonisolated static func exchange(
    _ request: ScriptRequest, _ input: FileHandle, _ output: FileHandle
  ) -> ScriptAnswer? {
    do {
      var line = try JSONEncoder().encode(request)
      line.append(10)
      try input.write(contentsOf: line)
      var answer = Data()
      while true {
        // One read: reading a count of bytes would wait for all of them.
        let bytes = output.availableData
        guard !bytes.isEmpty else { return nil }
        answer.append(bytes)
        if answer.last == 10 { break }
        if answer.count > 16 << 20 { return nil }
      }
      return try JSONDecoder().decode(ScriptAnswer.self, from: answer)
    } catch {
      return nil
    }
  }
}
