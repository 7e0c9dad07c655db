import Foundation
import Interface
import Limits
import Logging
import Messages
import Programs
import Screen
import Storage

// Passing messages to other programs and to files.
@MainActor
extension InboxSession {
  /// Passes a message to the user's command: a line for the shell, which never contains parts of the message.
  func pipe(_ id: MessageID, _ form: MessageForm, into command: String) {
    let environment = workspace.environment
    finishBeforeEnd(
      Task { [weak self] in
        let end: PipeEnd
        do {
          guard let bytes = try await self?.bytes(of: id, as: form) else { return }
          var program = Program(
            ["/bin/sh", "-c", command], environment: environment.variables,
            outputLimit: Limits.pipeOutputBytes, deadline: Limits.pipeTime)
          program.input = bytes
          let outcome = try await environment.programs.outcome(of: program)
          let output = String(decoding: outcome.output.suffix(4096), as: UTF8.self)
          let printed = output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
          end = .ended(status: outcome.status, said: outcome.lastComplaint ?? printed.map(String.init))
        } catch {
          end = .failed(reason: Self.reason(error))
        }
        self?.happened(.piped(command: command, end))
      })
  }

  /// Writes a message to a file, in the format of the file's extension.
  func save(_ id: MessageID, _ typed: String, replacing: Bool) {
    let file = SavedFile(typed: typed, home: workspace.environment.home)
    finishBeforeEnd(
      Task { [weak self] in
        let answer: SaveAnswer
        do {
          guard let bytes = try await self?.bytes(of: id, as: MessageForm(file: file.path)),
            let threads = self?.threads
          else { return }
          let isWritten = await threads.run { Result { try file.write(Data(bytes), replacing: replacing) } }
          answer = try isWritten.get() ? .saved(path: file.path) : .isThere
        } catch {
          answer = .failed(reason: Self.reason(error))
        }
        self?.happened(.saved(id, answer))
      })
  }

  /// Shows a message's text in the user's pager, which gets the terminal until it ends.
  func showInPager(_ id: MessageID) {
    let pager = Pager(environment: workspace.environment.variables)
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(getpid())")
    let columns = screen.size.columns
    finishBeforeEnd(
      Task { [weak self] in
        do {
          guard let text = try await self?.bytes(of: id, as: .text, columns: columns) else { return }
          // The file for an editor, in a folder that others cannot read.
          try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
          defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
              self?.log?.warning("\(folder.path): \(error)")
            }
          }
          let file = folder.appending(path: "message-\(id.rawValue).txt")
          guard let ending = try await self?.lendTerminal(to: { try pager.start(text, file: file) }) else {
            return
          }
          if let failure = ending.failure() { throw failure }
        } catch {
          self?.happened(.programFailed(program: pager.name, reason: Self.reason(error)))
        }
      })
  }

  /// Starts a program of the settings.
  func run(_ words: [String], inTerminal: Bool) {
    if inTerminal {
      finishBeforeEnd(Task { [weak self] in await self?.runInTerminal(words) })
      return
    }
    let program: StartedProgram
    do {
      program = try StartedProgram(words, environment: workspace.environment.variables, .apart)
    } catch {
      return answer(.programFailed(program: words.first ?? "", reason: error.words))
    }
    // It may outlive the inbox, so the end of the inbox does not wait for it.
    Task { [weak self] in
      guard let failure = await program.ending().failure(complaint: program.lastComplaint) else { return }
      self?.happened(.programFailed(program: words[0], reason: failure.words))
    }
  }

  /// Runs a program that uses the terminal until it ends.
  func runInTerminal(_ words: [String], named name: String? = nil) async {
    do {
      let environment = workspace.environment.variables
      let ending = try await lendTerminal {
        try StartedProgram(words, environment: environment, .terminal(input: nil))
      }
      if let failure = ending?.failure() { throw failure }
    } catch {
      happened(.programFailed(program: name ?? words.first ?? "", reason: Self.reason(error)))
    }
  }

  /// Gives the terminal to a program until it ends. Meanwhile nothing is drawn.
  ///
  /// - Returns: how it ended; nil if another program has the terminal.
  func lendTerminal(
    to start: () throws -> StartedProgram
  ) async throws -> StartedProgram.Ending? {
    guard foreground == nil, ending != nil else { return nil }
    screen.lend()
    defer {
      foreground = nil
      screen.takeBack()
    }
    let program = try start()
    foreground = program
    return await program.ending()
  }

  /// A message in the format for a program or a file.
  ///
  /// - Parameter columns: the width of wrapped lines.
  private func bytes(of id: MessageID, as form: MessageForm, columns: Int = 80) async throws -> [UInt8] {
    guard let stored = try await reader.read({ store throws(StoreFailure) in try store.message(id) }) else {
      throw Gone(words: workspace.words)
    }
    let (message, workspace, options) = (workspace.presented(stored), workspace, state.options)
    let text = await threads.run { () -> Result<String, any Error> in
      Result {
        if form == .json { return MessagePrinter(workspace).json(message) + "\n" }
        let sources = try workspace.sourceStatuses()
        switch form {
        case .html: return PaperPage.html(message, of: sources, options: options)
        case .markdown: return PaperPage.markdown(message, of: sources, options: options)
        case .text, .json:
          let lines = PaperPage.lines(message, of: sources, columns: columns, options: options)
          return lines.map { $0 + "\n" }.joined()
        }
      }
    }
    return Array(try text.get().utf8)
  }

  /// The message isn't stored any more.
  private struct Gone: UserFacingError {
    let sentence: String

    init(words: Words) { sentence = words(.messageGone).text }
  }

  func reason(_ error: any Error) -> String { Self.reason(error) }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as ProgramFailure: failure.words
    case let failure as ReplacedFile.Failure: failure.reason
    case let failure as any UserFacingError: failure.sentence
    case _: SystemReason.words(error)
    }
  }
}
