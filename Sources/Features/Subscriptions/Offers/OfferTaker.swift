import Basics
import Foundation
package import Messages
import Notifications
import Platform
package import Profile
import Settings
import Storage
import Words

/// Accepts an offer, which is a source or a hook that was found on this machine.
package struct OfferTaker: Sendable {
  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// Returns a command line that runs reddot with some arguments, and with options for the settings and the database of
  /// this inbox.
  private func program(_ words: String...) -> [String] {
    let directories = profile.environment.directories
    var words = profile.ownProgram + words
    if profile.settingsFile.path != directories.settingsFile {
      words += ["--config", profile.settingsFile.path]
    }
    if let path = profile.store.path, path != directories.databaseFile {
      words += ["--database", path]
    }
    return words
  }

  /// Accepts an offer: adds its source, or installs its hook.
  ///
  /// - Parameter noting: called with an added source, before its first poll.
  /// - Throws: the reason why nothing was added.
  package func accept(_ offer: Offer, noting: @Sendable (SourceAdder.Added) async -> Void)
    async throws
  {
    switch offer {
    case .newsboat(let folder, _):
      _ = try await profile.arrival(trouble: { _ in }) {
        try Subscriptions(profile).importNewsboat(from: folder, by: $0)
      }
    case .github:
      let answer = await SourceAdder(profile).answer(
        to: [.tokenCommand: "gh auth token"], of: .github, noting: noting)
      if case .failure(let mistake) = answer { throw Refused(sentence: mistake.reason) }
    case .shell(let name):
      guard let start = ShellStart(name, profile.environment) else { return }
      try start.install(program("hooks", name))
    case .tmux:
      do throws(ProgramFailure) {
        _ = try await profile.environment.programs.run(
          Program(
            program("hooks", "tmux", "--install"), environment: profile.environment.variables,
            outputLimit: Limits.offerFileBytes, deadline: Limits.offerTime))
      } catch {
        throw Refused(sentence: "reddot hooks tmux \(error.words)")
      }
    case .desktop:
      try profile.settingsFile.append(sources: [["name = \"desktop\"", "kind = \"desktop\""]])
    }
  }

  /// The reason why nothing was added, as a sentence.
  struct Refused: UserFacingError {
    let sentence: String
  }
}
