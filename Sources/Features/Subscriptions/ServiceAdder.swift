import Basics
import Foundation
package import Messages
import Platform
import Profile
import Screen
import Services
package import Settings
import Storage
import Words

/// A service that the user wants to add as a source, with the values that the user has given so far.
package struct ServiceWish: Sendable {
  package var kind: SourceKind
  /// The address, or `nil` for the default address of the service.
  package var address: String?
  /// The name of the new source, or `nil` for an automatic one.
  package var name: String?
  /// The user name that belongs to the token.
  package var user: String?
  /// The origin of the token or password, for example a command, or `nil` for none.
  package var credential: CredentialOrigin?
  /// The interval as it will be written in the settings.
  package var interval: String?
  /// The options that determine which servers the source trusts.
  package var options = SourceOptions()
  /// Whether the service is added without a test request.
  package var isUnchecked = false

  package init(kind: SourceKind) { self.kind = kind }
}

/// The questions that `reddot add` asks about a service, for values that were not given on the command line.
package struct ServiceQuestions: Sendable {
  /// The value that a question asks for.
  package enum Answer: Sendable { case address, user, tokenCommand }

  /// A question, and the value that it asks for.
  package struct Question: Sendable {
    package var answer: Answer
    package var text: String
    /// The default, which is used if the user types nothing, or `nil` if an answer is required.
    package var standard: String?
  }

  /// The question that is asked for a hub if the token is missing or wrong.
  package static let hubToken = Question(
    answer: .tokenCommand, text: "A command that prints the token, such as: pass show hub", standard: nil)

  /// Returns the questions about the values that are missing.
  ///
  /// - Parameter wish: the values that are already known.
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

extension ServiceQuestions {
  /// Returns all questions about a kind of service as the fields of a form.
  static func form(of kind: SourceKind) -> SourceFields {
    let entries = of(ServiceWish(kind: kind)).map { question in
      SourceFields.Entry(
        field: question.answer.field, stored: "", usual: question.standard ?? "", help: question.text)
    }
    return SourceFields(
      .service(kind, name: SourceAdapters.facts(of: kind)?.name ?? kind.rawValue), entries: entries)
  }
}

extension ServiceQuestions.Answer {
  /// The field of the form for this value.
  var field: SourceFields.Field {
    switch self {
    case .address: .url
    case .user: .user
    case .tokenCommand: .tokenCommand
    }
  }
}

extension ServiceWish {
  /// Sets the value that a question asks for.
  ///
  /// - Parameter text: the text as the user typed it, or the default if it is empty.
  package mutating func set(_ text: String, for answer: ServiceQuestions.Answer) {
    switch answer {
    case .address: address = text
    case .user: user = text
    // The shell runs the user's command.
    case .tokenCommand: credential = text.isEmpty ? nil : .command(["/bin/sh", "-c", text])
    }
  }
}

extension SourceAdder.Refusal {
  /// The value that probably has to be changed before the service can be added, or `nil` if it is unknown.
  package var answer: ServiceQuestions.Answer? {
    switch self {
    case .missingScope: .tokenCommand
    case .badAddress: .address
    case .failed(_, let failure, _):
      switch failure {
      case .credentials, .status(401, _), .status(403, _): .tokenCommand
      case .invalidAddress, .nameNotFound, .refused, .unreachable, .status(404, _), .notAFeed, .malformed:
        .address
      case _: nil
      }
    case .hub(_, _, let isOfToken): isOfToken ? .tokenCommand : nil
    case .known, .nameTaken, .choices, .elsewhere, .local, .hubNames: nil
    }
  }
}

extension SourceAdder {
  /// The reason why a service was not added from a form, as a sentence, and the field that has to be changed, or `nil`
  /// if it is unknown.
  package struct FormMistake: Error {
    package var reason: String
    package var field: SourceFields.Field?
  }

  /// Adds a service from the fields of a form.
  ///
  /// - Parameters:
  ///   - texts: the text of each field, or its default if the field is empty.
  ///   - noting: called when the service is in the settings.
  package func answer(
    to texts: [SourceFields.Field: String], of kind: SourceKind, noting: @Sendable (Added) async -> Void
  ) async -> Result<Added, FormMistake> {
    var wish = ServiceWish(kind: kind)
    for question in ServiceQuestions.of(wish) {
      let text = texts[question.answer.field] ?? ""
      guard !text.isEmpty || question.standard != nil else {
        return .failure(FormMistake(reason: question.text, field: question.answer.field))
      }
      wish.set(text, for: question.answer)
    }
    do {
      let added = try await add(wish)
      await noting(added)
      return .success(added)
    } catch let refusal as Refusal {
      return .failure(
        FormMistake(reason: refusal.sentence(offersOptions: false), field: refusal.answer?.field))
    } catch {
      return .failure(FormMistake(reason: (error as? any UserFacingError)?.sentence ?? "\(error)"))
    }
  }

  /// Other names for kinds of services.
  private static let otherNames: [String: SourceKind] = [
    "forgejo": .gitea, "codeberg": .gitea, "freshrss": .greader, "google-reader": .greader,
    "prometheus": .alertmanager,
  ]

  /// All names of services that `service(named:)` accepts.
  package static var serviceNames: [String] {
    SourceKind.allCases.filter { SourceAdapters.facts(of: $0) != nil }.map(\.rawValue)
      + otherNames.keys.sorted()
  }

  /// Returns the kind of a service for a name that a user types, for example `github`, `forgejo` or `freshrss`, or
  /// `nil` if there is no such service.
  package static func service(named name: String) -> SourceKind? {
    let name = name.lowercased()
    guard let kind = otherNames[name] ?? SourceKind(rawValue: name), SourceAdapters.facts(of: kind) != nil
    else {
      return nil
    }
    return kind
  }

  /// Returns a clause that explains why a service has no use for a user name, or `nil` if it has one.
  package static func reasonAgainstUser(of kind: SourceKind) -> String? {
    guard let facts = SourceAdapters.facts(of: kind), !facts.takesUser else { return nil }
    return "\(facts.name) takes a token alone"
  }

  /// Returns the entry of the settings for a service at an address.
  private func entry(_ wish: ServiceWish, at given: String) -> SourceEntry {
    let address = SourceAdapters.address(of: given, kind: wish.kind)
    var entry = SourceEntry(
      source: ConfiguredSource(name: wish.name ?? wish.kind.rawValue, kind: wish.kind, address: address))
    entry.source.settings.options = wish.options
    entry.user = wish.user
    entry.credential = wish.credential
    return entry
  }

  /// Polls a service as a test, and checks the token's permissions.
  private func poll(_ entry: SourceEntry) async throws -> ServiceTrial.Answer {
    try await ServiceTrial(environment: profile.environment, settings: profile.settings)
      .poll(entry, checksScope: true)
  }

  /// Sends a test request to a service, and adds the service to the settings.
  package func add(_ wish: ServiceWish) async throws -> Added {
    let facts = SourceAdapters.facts(of: wish.kind)
    let serviceName = facts?.name ?? wish.kind.rawValue
    guard let given = wish.address ?? facts?.address,
      let normalized = Self.address(given, home: profile.environment.home)
    else { throw Refusal.badAddress(wish.address ?? "") }
    let plain = Self.withoutTLS(given, in: normalized)
    var entry = entry(wish, at: wish.isUnchecked ? plain ?? normalized : normalized)
    // The same server may be followed for two accounts, so only the name is compared.
    if let name = wish.name, profile.sources.contains(where: { $0.name == name }) {
      throw Refusal.nameTaken(name)
    }
    var count: Int?
    var first: FirstAnswer?
    var leftOut: [FormatProblem]?
    if !wish.isUnchecked {
      do {
        let trial: ServiceTrial.Answer
        do {
          trial = try await poll(entry)
        } catch let failure as FetchFailure {
          guard let plain, failure.isOfConnection else { throw failure }
          entry = self.entry(wish, at: plain)
          trial = try await poll(entry)
        }
        let address = entry.source.address
        if let missing = trial.missing { throw Refusal.missingScope(address: address, missing) }
        count = trial.content.messages.count
        first = .parts(trial.parts)
        leftOut = trial.content.problems
      } catch let failure as FetchFailure {
        var sentence = profile.words.sentence(failure).text
        // The help uses the service's own word for the token, and says where one is made.
        if case .status(401, _) = failure, let help = facts?.tokenHelp { sentence += " Its token: \(help)." }
        throw Refusal.failed(address: entry.source.address, failure, sentence: sentence)
      }
    }
    let address = entry.source.address
    var name = ""
    let turn = try first.flatMap { _ in try profile.store.tryLock(.adding) }
    try profile.settingsFile.append { current in
      let names = profile.sources.map(\.name) + current.sources.map(\.name)
      if let wished = wish.name, names.contains(wished) { throw Refusal.nameTaken(wished) }
      var free = NewNames(besides: names)
      name = wish.name ?? free.next(wish.kind.rawValue, address: "")
      var typed = ["url": TOMLText.quoted(address)]
      if let interval = wish.interval { typed["interval"] = TOMLText.quoted(interval) }
      entry.source.name = name
      return [entry.lines(typed: typed)]
    }
    var added = Added(name: name, title: serviceName, address: address)
    added.messages = count
    (added.first, added.turn) = (first, turn)
    added.leftOut = leftOut?.leftOutSentence(of: name)
    return added
  }
}
