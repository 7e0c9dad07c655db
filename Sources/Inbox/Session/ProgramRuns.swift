import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Settings
import Storage
import Words

/// The programs that a person starts from the inbox: for links and sounds, of the settings, pager and editor.
@MainActor
final class ProgramRuns {
  private let loop: InboxLoop
  /// Whether the inbox has the terminal, or the program that it was lent to.
  var isRunning = false
  /// The program that has the terminal.
  private var foreground: StartedProgram?

  init(_ loop: InboxLoop) { self.loop = loop }

  /// Whether a program has the terminal: its screen isn't ours.
  var haveTerminal: Bool { foreground != nil }

  /// Ends the program that has the terminal.
  func endForeground() { foreground?.end() }

  private var variables: [String: String] { loop.profile.environment.variables }

  func open(_ link: String, isEnclosure: Bool = false) {
    let settings = loop.profile.settings
    let enclosures = isEnclosure ? settings.enclosureCommand : nil
    var opener = LinkOpener(
      command: enclosures ?? settings.openCommand, environment: variables,
      programs: loop.profile.environment.programs)
    if enclosures != nil { opener.setting = "enclosure_command" }
    do throws(LinkOpener.Failure) {
      if opener.command.usesTerminal {
        let words = try opener.words(for: link)
        loop.finishBeforeEnd(
          Task { [weak self] in
            await self?.runInTerminal(words)
            self?.loop.happened(.linkOpened(address: link))
          })
      } else {
        let program = try opener.start(link)
        // It may outlive the inbox, so the end of the inbox does not wait for it.
        Task { [loop, opener] in
          let failure = await opener.failure(of: program)
          loop.happened(
            failure.map { .linkFailed(address: link, reason: $0.reason) } ?? .linkOpened(address: link))
        }
      }
    } catch {
      loop.answer(.linkFailed(address: link, reason: error.reason))
    }
  }

  /// The demo is this program: it has the terminal until it is left.
  func showDemo() {
    let words = loop.profile.ownProgram + ["demo"]
    loop.finishBeforeEnd(Task { [weak self] in await self?.runInTerminal(words, named: "reddot demo") })
  }

  /// Plays a sound of the system; the terminal's bell where that can't be.
  func play(_ sound: String) {
    let profile = loop.profile
    let player = SoundPlayer(
      command: profile.settings.soundCommand, environment: variables,
      programs: profile.environment.programs)
    Task { [screen = loop.screen] in
      if await !player.play(sound) { screen.ringBell() }
    }
  }

  func copy(_ text: String, _ request: RequestID) {
    guard let tmux = TmuxClipboard(loop.profile.environment, log: loop.log) else {
      return loop.answer(.copied(request, text, isSent: loop.screen.copyToClipboard(text)))
    }
    loop.finishBeforeEnd(
      Task { [loop] in
        let isSent = await tmux.copy(text)
        loop.happened(.copied(request, text, isSent: isSent))
      })
  }

  /// Starts a program of the settings.
  func run(_ words: [String], inTerminal: Bool) {
    if inTerminal {
      loop.finishBeforeEnd(Task { [weak self] in await self?.runInTerminal(words) })
      return
    }
    let program: StartedProgram
    do {
      program = try StartedProgram(words, environment: variables, .apart)
    } catch {
      return loop.answer(.programFailed(program: words.first ?? "", reason: error.words))
    }
    // It may outlive the inbox, so the end of the inbox does not wait for it.
    Task { [loop] in
      let failure = await program.ending().failure(complaint: program.lastComplaint)
      loop.happened(
        failure.map { .programFailed(program: words[0], reason: $0.words) } ?? .programEnded(words))
    }
  }

  /// Runs a program that uses the terminal until it ends.
  func runInTerminal(_ words: [String], named name: String? = nil) async {
    do {
      let environment = variables
      let ending = try await lendTerminal {
        try StartedProgram(words, environment: environment, .terminal(input: nil))
      }
      if let failure = ending?.failure() { throw failure }
    } catch {
      loop.happened(.programFailed(program: name ?? words.first ?? "", reason: InboxLoop.reason(error)))
    }
  }

  /// Shows a text in the user's pager, which gets the terminal until it ends.
  ///
  /// - Parameters:
  ///   - text: reads it.
  ///   - name: of the file, for a pager that takes one.
  func page(_ text: @escaping @MainActor () async throws -> [UInt8], name: String) {
    let pager = Pager(environment: variables)
    loop.finishBeforeEnd(
      Task { [weak self, loop] in
        do {
          let text = try await text()
          // Of the file for an editor.
          let folder = try TemporaryFolder("reddot")
          defer {
            do { try FileManager.default.removeItem(atPath: folder.path) } catch {
              loop.log?.warning("\(folder.path): \(error)")
            }
          }
          let file = URL(fileURLWithPath: "\(folder.path)/\(name)")
          guard let ending = try await self?.lendTerminal(to: { try pager.start(text, file: file) }) else {
            return
          }
          if let failure = ending.failure() { throw failure }
        } catch {
          loop.happened(.programFailed(program: pager.name, reason: InboxLoop.reason(error)))
        }
      })
  }

  /// Gives the terminal to a program until it ends. Meanwhile nothing is drawn.
  ///
  /// - Returns: how it ended; nil if another program has the terminal.
  private func lendTerminal(
    to start: () throws -> StartedProgram
  ) async throws -> StartedProgram.Ending? {
    guard foreground == nil, isRunning else { return nil }
    loop.screen.lend()
    defer {
      foreground = nil
      loop.screen.resume()
    }
    let program = try start()
    foreground = program
    return await program.ending()
  }
}
