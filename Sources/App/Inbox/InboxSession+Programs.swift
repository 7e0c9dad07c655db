import Foundation
import Interface
import Limits
import Logging
import Messages
import Programs
import Screen
import Storage
import Threads

// Passing messages to other programs and to files.
@MainActor
extension InboxSession {
  /// Passes messages to the user's command: a line for the shell, which never contains parts of a message.
  func pipe(_ given: GivenMessages, _ form: MessageForm, into command: String) {
    let environment = workspace.environment
    finishBeforeEnd(
      Task { [weak self] in
        let end: PipeEnd
        var onlyFirst: Int?
        do {
          guard let (messages, count) = try await self?.messages(given),
            let bytes = try await self?.bytes(of: messages, as: form)
          else { return }
          onlyFirst = count
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
        self?.happened(.piped(command: command, end, onlyFirst: onlyFirst))
      })
  }

  /// Writes messages to a file, in the format of the file's extension.
  func save(_ given: GivenMessages, _ typed: String, replacing: Bool, _ request: RequestID) {
    let file = SavedFile(typed: typed, home: workspace.environment.home)
    finishBeforeEnd(
      Task { [weak self] in
        let answer: SaveAnswer
        do {
          guard let (messages, onlyFirst) = try await self?.messages(given),
            let bytes = try await self?.bytes(of: messages, as: MessageForm(file: file.path)),
            let threads = self?.threads
          else { return }
          let isWritten = await threads.run { Result { try file.write(Data(bytes), replacing: replacing) } }
          answer = try isWritten.get() ? .saved(path: file.path, onlyFirst: onlyFirst) : .isThere
        } catch {
          answer = .failed(reason: Self.reason(error))
        }
        self?.happened(.saved(request, given, answer))
      })
  }

  /// Shows a message's text in the user's pager, which gets the terminal until it ends.
  func showInPager(_ id: MessageID) {
    let pager = Pager(environment: workspace.environment.variables)
    let columns = screen.size.columns
    finishBeforeEnd(
      Task { [weak self] in
        do {
          guard let message = try await self?.message(id),
            let text = try await self?.bytes(of: [message], as: .text, columns: columns)
          else { return }
          // Of the file for an editor.
          let folder = try TemporaryFolder("reddot")
          defer {
            do { try FileManager.default.removeItem(atPath: folder.path) } catch {
              self?.log?.warning("\(folder.path): \(error)")
            }
          }
          let file = URL(fileURLWithPath: "\(folder.path)/message-\(id.rawValue).txt")
          guard let ending = try await self?.lendTerminal(to: { try pager.start(text, file: file) }) else {
            return
          }
          if let failure = ending.failure() { throw failure }
        } catch {
          self?.happened(.programFailed(program: pager.name, reason: Self.reason(error)))
        }
      })
  }

  func copy(_ text: String, _ request: RequestID) {
    guard let tmux = TmuxClipboard(workspace.environment, log: log) else {
      return answer(.copied(request, text, isSent: screen.copyToClipboard(text)))
    }
    finishBeforeEnd(
      Task { [weak self] in
        let isSent = await tmux.copy(text)
        self?.happened(.copied(request, text, isSent: isSent))
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
      let failure = await program.ending().failure(complaint: program.lastComplaint)
      self?.happened(
        failure.map { .programFailed(program: words[0], reason: $0.words) } ?? .programEnded(words))
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

  private func message(_ id: MessageID) async throws -> Message {
    guard let stored = try await reader.read({ store throws(StoreFailure) in try store.message(id) }) else {
      throw Gone(words: workspace.words)
    }
    return workspace.presented(stored)
  }

  /// The messages for a program or a file, within `Limits`.
  ///
  /// - Returns: `onlyFirst` is their number where there were more; else nil.
  private func messages(_ given: GivenMessages) async throws -> (messages: [Message], onlyFirst: Int?) {
    let keys = try await reader.read { store throws(StoreFailure) in
      try store.keys(of: given, limit: Limits.givenMessages + 1)
    }
    var messages: [Message] = []
    var size = 0
    var isCut = keys.count > Limits.givenMessages
    for key in keys.prefix(Limits.givenMessages) {
      if size >= Limits.givenMessageBytes {
        isCut = true
        break
      }
      do {
        let message = try await self.message(key.id)
        size += message.content.body.utf8.count + (message.content.html?.utf8.count ?? 0)
        messages.append(message)
      } catch let gone as Gone {
        // Of several, the others are there.
        if keys.count == 1 { throw gone }
      }
    }
    if messages.isEmpty { throw Gone(words: workspace.words) }
    return (messages, isCut ? messages.count : nil)
  }

  /// Messages in the format for a program or a file.
  ///
  /// - Parameter columns: the width of wrapped lines.
  private func bytes(of messages: [Message], as form: MessageForm, columns: Int = 80) async throws -> [UInt8]
  {
    let (workspace, options) = (workspace, state.options)
    let text = await threads.run { () -> Result<String, any Error> in
      Result {
        if form == .json {
          let printer = MessagePrinter(workspace)
          return messages.map { printer.json($0) + "\n" }.joined()
        }
        let sources = try workspace.sourceStatuses()
        switch form {
        case .html: return PaperPage.html(messages, of: sources, options: options)
        case .markdown:
          return messages.map { PaperPage.markdown($0, of: sources, options: options) }
            .joined(separator: PaperPage.separator)
        case .text, .json:
          return messages.map { message in
            let lines = PaperPage.lines(message, of: sources, columns: columns, options: options)
            return lines.map { $0 + "\n" }.joined()
          }.joined(separator: PaperPage.separator)
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
