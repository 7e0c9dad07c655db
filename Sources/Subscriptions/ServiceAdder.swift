import Foundation
import Interface
package import Messages
import Platform
import Screen
import Services
package import Settings
import Storage
import Workspace

/// A service that the user wants to add.
package struct ServiceWish: Sendable {
  package var kind: SourceKind
  /// nil: where the service is by itself.
  package var address: String?
  package var name: String?
  /// The name that belongs to the token.
  package var user: String?
  package var credential: CredentialOrigin?
  /// As it will be written in the settings.
  package var interval: String?
  /// Which servers it trusts.
  package var options = SourceOptions()
  /// Adds it without asking it first.
  package var isUnchecked = false

  package init(kind: SourceKind) { self.kind = kind }
}

/// What `reddot add` asks for a service that was not given on its command line.
package struct ServiceQuestions: Sendable {
  package enum Answer: Sendable { case address, user, tokenCommand }

  package struct Question: Sendable {
    package var answer: Answer
    package var text: String
    /// Taken where nothing is typed; nil: something has to be typed.
    package var standard: String?
  }

  /// - Parameter wish: what is known already.
  package static func of(_ wish: ServiceWish) -> [Question] {
    guard let facts = SourceAdapters.facts(of: wish.kind) else { return [] }
    var questions: [Question] = []
    if wish.address == nil {
      questions.append(
        Question(answer: .address, text: "Address: \(facts.addressHelp)", standard: facts.address))
    }
    if facts.needsUser, wish.user == nil {
      questions.append(Question(answer: .user, text: "User name", standard: nil))
    }
    if wish.credential == nil {
      questions.append(
        Question(
          answer: .tokenCommand,
          text:
            "A command that prints the token, such as: pass show \(wish.kind.rawValue)\n\(facts.tokenHelp)",
          standard: facts.needsToken ? nil : ""))
    }
    return questions
  }
}

extension SourceAdder {
  /// The kind of a service by the name that a person writes: `github`, `forgejo`, `freshrss`.
  package static func service(named name: String) -> SourceKind? {
    let name = name.lowercased()
    let others: [String: SourceKind] = [
      "forgejo": .gitea, "codeberg": .gitea, "freshrss": .greader, "google-reader": .greader,
      "prometheus": .alertmanager,
    ]
    guard let kind = others[name] ?? SourceKind(rawValue: name), SourceAdapters.facts(of: kind) != nil else {
      return nil
    }
    return kind
  }

  /// Asks a service once, and appends it to the settings.
  package func add(_ wish: ServiceWish) async throws -> Added {
    let facts = SourceAdapters.facts(of: wish.kind)
    let serviceName = facts?.name ?? wish.kind.rawValue
    guard let given = wish.address ?? facts?.address,
      let normalized = SourceAddress.normalized(given, home: workspace.environment.home)
    else { throw Refusal.badAddress(wish.address ?? "") }
    let address = SourceAdapters.address(of: normalized, kind: wish.kind)
    var entry = SourceEntry(
      source: ConfiguredSource(name: wish.name ?? wish.kind.rawValue, kind: wish.kind, address: address))
    entry.source.settings.options = wish.options
    entry.user = wish.user
    entry.credential = wish.credential
    // The same server may be followed for two accounts: by name only.
    if let name = wish.name, workspace.sources.contains(where: { $0.name == name }) {
      throw Refusal.nameTaken(name)
    }
    var count: Int?
    if !wish.isUnchecked {
      do {
        let trial = try await ServiceTrial(environment: workspace.environment, settings: workspace.settings)
          .poll(entry, checksScope: true)
        if let missing = trial.missing { throw Refusal.missingScope(address: address, missing) }
        count = trial.content.messages.count
      } catch let failure as FetchFailure {
        throw Refusal.failed(address: address, failure, sentence: workspace.words.sentence(failure).text)
      }
    }
    var name = ""
    try workspace.settingsFile.append { current in
      let names = workspace.sources.map(\.name) + current.sources.map(\.name)
      if let wished = wish.name, names.contains(wished) { throw Refusal.nameTaken(wished) }
      var free = NewNames(besides: names)
      name = wish.name ?? free.take(wish.kind.rawValue, address: "")
      var typed = ["url": TOMLText.quoted(address)]
      if let interval = wish.interval { typed["interval"] = TOMLText.quoted(interval) }
      entry.source.name = name
      return [entry.lines(typed: typed)]
    }
    var added = Added(name: name, title: serviceName, address: address)
    added.messages = count
    return added
  }
}
