import ArgumentParser
import Messages
import Platform
import Profile
import Storage

/// `reddot next`
struct NextCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Go to the pane of the program that has waited longest.",
    discussion: """
      Exits with 1 if no program waits in a pane. As a key of tmux, in tmux.conf:
        bind-key g run-shell -b 'reddot next --tmux'

      EXAMPLES:
        reddot next
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Show a failure in the status line of tmux, and exit with 0: for a key.") var tmux = false

  func run() async throws {
    do {
      try await go()
    } catch {
      // Otherwise tmux covers the pane in which the key was pressed with the status of the program.
      guard tmux, let sentence = Complaint.sentence(error),
        await Panes(Composition.environment()).show("reddot: \(sentence)")
      else { throw error }
    }
  }

  private func go() async throws {
    let profile = try Composition.profile(files)
    let panes = Panes(profile.environment)
    guard let (message, pane) = try profile.store.questions.firstWithPane() else {
      throw Complaint("no program waits in a pane")
    }
    do throws(Panes.Failure) {
      try await panes.go(to: pane)
    } catch {
      switch error {
      case .gone: throw Complaint("the pane of message \(message.rawValue) was closed")
      case .cannotAsk(let reason):
        throw Complaint("cannot go to the pane of message \(message.rawValue): \(reason)")
      case .notAttached(let session):
        throw Complaint(
          "the pane is selected, but no terminal shows the tmux session \"\(session)\"; attach one")
      }
    }
    await panes.mark(pane, unread: false)
  }
}
