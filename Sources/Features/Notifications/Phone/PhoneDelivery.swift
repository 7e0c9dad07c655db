import Basics
package import Foundation
package import HTTP
package import Messages
import Platform
package import Profile
import Screen
package import Services
import Settings
package import Storage
import Words

/// The channel `phone`: sends notifications to the topic in the settings, withdraws them, and performs the actions of
/// their buttons.
package struct PhoneDelivery: Sendable {
  private let profile: Profile
  private let transport: any HTTPTransport

  package init(_ profile: Profile, transport: any HTTPTransport) {
    (self.profile, self.transport) = (profile, transport)
  }

  private var store: Store { profile.store }
  private var options: PhoneOptions { profile.settings.phone }

  // MARK: - The server

  /// Returns the connection to the server, with the token.
  ///
  /// - Throws: `FetchFailure` if the token cannot be read.
  private func connect(at now: Date) async throws(FetchFailure) -> NtfyPhone {
    var context = PollContext(now: now)
    context.credential = try await credential()
    guard let phone = NtfyPhone(source, transport: transport, context) else {
      throw .invalidAddress(origin)
    }
    return phone
  }

  private func credential() async throws(FetchFailure) -> Credential? {
    var token: String?
    if let origin = options.credential {
      let credentials = Credentials(
        environment: profile.environment.variables, programs: profile.environment.programs)
      do throws(Credentials.Failure) {
        token = try await credentials.token(from: origin)
      } catch {
        throw .credentials(reason: error.reason)
      }
    }
    return .configured(NtfyPhone.scheme, token: token, user: options.user, address: options.address)
  }

  /// A source with the address of the topic, the certificates and the limits, since requests are made for a
  /// source.
  private var source: Source {
    var source = Source(id: Source.unregistered, name: "phone", kind: .ntfy, address: options.address)
    source.settings.options.caFile = options.caFile
    source.settings.polling.requestTimeout = Limits.phoneRequestTime
    source.settings.polling.responseLimit = Limits.phoneResponseBytes
    return source
  }

  /// The server's URL without the topic, whose name is as secret as a password.
  private var origin: String { profile.phoneServer }

  /// Returns a digest of the names of both topics. The stored state of the phone belongs to these topics
  /// only.
  private func digest() -> [UInt8] {
    SHA256.digest(UserInfo.removed(from: options.address) + " " + (options.buttonTopic ?? ""))
  }

  /// Returns the name of the topic that the buttons publish to.
  private func topic(_ secret: PhoneSecret) -> String { options.buttonTopic ?? secret.buttonTopic }

  // MARK: - Sending

  /// Sends the notifications that wait, and withdraws those whose messages were read.
  ///
  /// - Returns: the time of the next work if nothing else happens.
  package func send() async throws(StoreFailure) -> Date? {
    guard profile.hasPhone else { return nil }
    let now = profile.environment.now()
    let state = try store.phone.begin(at: digest())
    if let retry = state.wait(at: now) { return retry }
    let knows = state.hasSequences == true
    let round = try NoticeRound.prepare(
      profile, ChannelAbilities(channel: .phone, canReplace: knows, canRepeat: knows), at: now)
    guard let round else { return nil }
    guard !round.notices.isEmpty || !round.withdrawn.isEmpty else {
      try round.finish([:])
      return round.next
    }
    var sending = Sending(state: state)
    do throws(FetchFailure) {
      let phone = try await connect(at: now)
      for (content, _) in round.notices {
        guard await send(content, by: phone, at: now, &sending) else { break }
      }
      for (id, name) in round.withdrawn where sending.failure == nil || sending.hasSucceeded {
        await takeBack(id, name, by: phone, &sending)
      }
    } catch {
      sending.failure = NtfyFailure(failure: error)
    }
    let gone = Set(round.withdrawn.map(\.id))
    try round.finish(sending.results, keeping: gone.subtracting(sending.ended))
    if sending.hasSucceeded { try store.phone.succeeded(hasSequences: sending.hasSequences, at: now) }
    guard let failure = sending.failure else { return round.next }
    let failures = sending.hasSucceeded ? 1 : state.failures + 1
    let wait = failure.isOfOneMessage ? Limits.refusedPhoneWait : Self.wait(afterFailures: failures)
    let retry = min(max(failure.retryAfter ?? now, now + wait), now + Limits.longestPhoneWait)
    try store.phone.failed(failure.failure, retryAt: retry, at: now)
    return retry
  }

  /// Returns the time until the next attempt to send to the phone, in seconds, after some failures in a row.
  private static func wait(afterFailures failures: Int) -> TimeInterval {
    min(Limits.firstPhoneBackoff * Double(1 << min(max(0, failures - 1), 16)), Limits.longestPhoneBackoff)
  }

  /// The results of sending and withdrawing the notifications of a round.
  private struct Sending {
    let secret: PhoneSecret
    var hasSequences: Bool?
    var results: [NoticeID: NoticeResult] = [:]
    /// The names of the round's notifications that are on the phone.
    var names: Set<String> = []
    /// The notifications that were withdrawn, or cannot be withdrawn.
    var ended: Set<NoticeID> = []
    var failure: NtfyFailure?
    var hasSucceeded = false

    init(state: PhoneState) {
      secret = PhoneSecret(state.secret)
      hasSequences = state.hasSequences
    }
  }

  /// Sends a notification.
  ///
  /// - Returns: `false` if the other notifications have to wait.
  private func send(
    _ content: NoticeContent, by phone: NtfyPhone, at now: Date, _ sending: inout Sending
  ) async -> Bool {
    let name = (try? sequence(of: content, sending.secret)) ?? sending.secret.sequence(of: content.id)
    sending.names.insert(name)
    do throws(NtfyFailure) {
      sending.hasSequences = try await phone.publish(
        publication(content, name, sending.secret, sent: now))
      sending.hasSucceeded = true
      sending.results[content.id] = .stands(name: name)
      return true
    } catch {
      sending.failure = error
      // A server with sequences replaces the notification at the next attempt; an older server would show it twice.
      if error.mayHaveArrived { sending.results[content.id] = .unknown }
      return error.isOfOneMessage
    }
  }

  /// Returns the id of a notification on the phone.
  private func sequence(of content: NoticeContent, _ secret: PhoneSecret) throws(StoreFailure) -> String {
    guard content.form == .message, content.messages.count == 1,
      let message = try store.messages.find(content.messages[0])
    else { return secret.sequence(of: content.id) }
    return secret.sequence(of: message)
  }

  /// Returns a notification in the form for the server, with only the parts that the settings allow it to learn.
  private func publication(
    _ content: NoticeContent, _ name: String, _ secret: PhoneSecret, sent: Date
  ) -> NtfyPublication {
    var publication = NtfyPublication(sequence: name, message: content.title)
    switch options.show {
    case .number: publication.message = profile.words.count(.noticeOfAll, content.messages.count).text
    case .title, .all:
      // The first line of the text of a single message is its source.
      let isOne = content.messages.count == 1
      let lines = options.show == .all || !isOne ? content.body : Array(content.body.prefix(1))
      if !lines.isEmpty {
        publication.title = content.title
        publication.message = lines.joined(separator: "\n")
      }
      if options.show == .all, isOne, content.buttons[.open] != nil {
        publication.click = (try? store.messages.find(content.messages[0]))?.content.url
      }
    }
    if content.isUrgent { publication.priority = Priority(5) }
    guard options.hasButtons else { return publication }
    let topic = topic(secret)
    publication.buttons = buttons(of: content).map { act, label in
      NtfyPublication.Button(label: label, topic: topic, text: secret.text(of: act, name, sent: sent))
    }
    return publication
  }

  /// Returns the answers of a question if the phone shows all of it and has a button for each; otherwise Read and
  /// Later.
  private func buttons(of content: NoticeContent) -> [(act: PhoneAct, label: String)] {
    let answers = content.answers
    if options.givesAnswers, options.show != .number, !answers.isEmpty, answers.count <= Limits.phoneButtons {
      return answers.enumerated().map { (.answer($0 + 1), $1) }
    }
    let words = profile.words
    return [(.read, words(.noticeRead).text), (.later, words(.noticeLater).text)]
  }

  /// Withdraws a notification from the phone.
  private func takeBack(_ id: NoticeID, _ name: String, by phone: NtfyPhone, _ sending: inout Sending) async {
    // Another notification has replaced it, or the server is too old.
    if sending.names.contains(name) || sending.hasSequences == false {
      sending.ended.insert(id)
      return
    }
    do throws(NtfyFailure) {
      if try await !phone.delete(name) { sending.hasSequences = false }
      sending.hasSucceeded = true
      sending.ended.insert(id)
    } catch {
      sending.failure = error
    }
  }

  // MARK: - Buttons

  /// Reads which buttons of notifications the user pressed on the phone, and performs their actions.
  ///
  /// - Returns: the reason why the presses could not be read, or `nil` if they were read, if it is not the time to
  ///   read them, or if the previous attempt failed too.
  @discardableResult
  package func readButtons() async throws(StoreFailure) -> FetchFailure? {
    guard profile.hasPhone, options.hasButtons, try store.phone.hasButtons() else { return nil }
    let now = profile.environment.now()
    guard let lock = try await lock() else { return nil }
    defer { lock.release() }
    let state = try store.phone.begin(at: digest())
    if state.wait(at: now) != nil { return nil }
    let secret = PhoneSecret(state.secret)
    var read: (messages: [String], cursor: String)
    do {
      read = try await connect(at: now).messages(of: topic(secret), after: state.cursor)
    } catch {
      let failure = error as? NtfyFailure ?? NtfyFailure(failure: error as? FetchFailure ?? .cancelled)
      try store.phone.readFailed(failure.failure, until: failure.retryAfter)
      return state.readFailure == nil ? failure.failure : nil
    }
    var presses = PhonePresses()
    for text in read.messages { try await press(text, secret, at: now, &presses) }
    if read.cursor != state.cursor ?? "" || presses != PhonePresses() || state.readFailure != nil {
      try store.phone.read(to: read.cursor, presses, at: now)
    }
    return nil
  }

  /// Returns the lock that a process holds while it sends notifications to the phone, or `nil` if other
  /// processes keep it. Buttons are read with this lock, since the messages of notifications are known only
  /// after they are sent.
  private func lock() async throws(StoreFailure) -> StoreLock? {
    for _ in 0..<Limits.phoneLockTries {
      if let lock = try store.tryLock(.notices(.phone)) { return lock }
      await store.waitUntilUnlocked(.notices(.phone))
    }
    return nil
  }

  /// Checks the text that a button sent, and performs the button's action once.
  private func press(
    _ text: String, _ secret: PhoneSecret, at now: Date, _ presses: inout PhonePresses
  ) async throws(StoreFailure) {
    let press: PhonePress
    do throws(PhonePress.Refusal) {
      press = try secret.press(text, at: now)
    } catch {
      switch error {
      case .malformed: presses.malformed += 1
      case .unsigned: presses.unsigned += 1
      case .late: presses.late += 1
      }
      return
    }
    guard try !store.phone.isPressed(press.signature) else {
      presses.replayed += 1
      return
    }
    let messages = try store.phone.messages(of: press.sequence, sent: press.sentAt)
    switch press.act {
    case _ where messages.isEmpty: presses.settled += 1
    case .read:
      try store.acts.perform(.read(messages), at: now)
      presses.pressed += 1
    case .later:
      try store.acts.perform(.snooze(messages, until: now + Limits.laterSeconds), at: now)
      presses.pressed += 1
    case .answer(let number): try answer(number, to: messages, at: now, &presses)
    }
    // This is the last step, so that the next process does the work that a crash leaves undone.
    try store.phone.press(press.signature, at: now)
  }

  /// Gives an answer to the question of a program, never a permission: the server could press that button too.
  private func answer(
    _ number: Int, to messages: [MessageID], at now: Date, _ presses: inout PhonePresses
  ) throws(StoreFailure) {
    guard options.givesAnswers, messages.count == 1, let question = try store.questions.find(messages[0]),
      !question.isPermission, !question.answers.isEmpty
    else {
      presses.malformed += 1
      return
    }
    if try store.questions.answer(messages[0], number, at: now).isGiven {
      presses.pressed += 1
    } else {
      presses.settled += 1
    }
  }

  /// Returns the connection on which the server reports each press, or `nil` if there are no buttons.
  package func stream() async throws(FetchFailure) -> StreamRequest? {
    let secret: PhoneSecret
    do throws(StoreFailure) {
      guard profile.hasPhone, options.hasButtons, try store.phone.hasButtons() else { return nil }
      secret = PhoneSecret(try store.phone.begin(at: digest()).secret)
    } catch {
      throw .storage(reason: error.sentence)
    }
    return try await connect(at: profile.environment.now()).stream(topic(secret))
  }

  // MARK: - The test

  /// Sends a test notification, even if the settings would not send such a message to the phone.
  package func test(_ line: (_ way: String, _ problem: String?) -> NoticeTest.Line) async -> NoticeTest.Line {
    guard !options.address.isEmpty else { return line("", "[phone] is not in the settings") }
    do {
      let now = profile.environment.now()
      let secret = PhoneSecret(try store.phone.begin(at: digest()).secret)
      let phone = try await connect(at: now)
      var message = NtfyPublication(sequence: secret.sequence(of: NoticeID(0)), message: NoticeTest.body)
      message.title = NoticeTest.title
      let hasSequences = try await phone.publish(message)
      try store.phone.succeeded(hasSequences: hasSequences, at: now)
      let version =
        await phone.version().map { "ntfy \($0)" }
        ?? (hasSequences ? "ntfy 2.16 or later" : "a server before ntfy 2.16")
      let rest =
        hasSequences
        ? "a message that you read elsewhere is withdrawn from the phone"
        : "a message that you read elsewhere stays on the phone, and an update is shown in addition"
      return line("\(version) at \(origin), show = \"\(options.show.rawValue)\": \(rest)", nil)
    } catch {
      return line("", "\(origin): \(profile.phoneReason(error))")
    }
  }
}

extension NtfyFailure {
  /// Whether the server refused a single message because of its content, so that it may accept the others.
  fileprivate var isOfOneMessage: Bool {
    if case .status(let status, _) = failure { [400, 413, 422].contains(status) } else { false }
  }
}

extension PhoneState {
  /// Returns the time of the next attempt, or `nil` if nothing has failed. A time that is later than any backoff was
  /// set by a wrong clock, and is ignored.
  fileprivate func wait(at now: Date) -> Date? {
    guard let retryAt, retryAt > now, retryAt <= now + Limits.longestPhoneWait else { return nil }
    return retryAt
  }
}

extension Profile {
  /// Whether the settings notify on a phone.
  package var hasPhone: Bool {
    settings.telling.channels.contains(.phone) && !settings.phone.address.isEmpty
  }

  /// The phone's server, without the topic.
  package var phoneServer: String { Origin(settings.phone.address)?.description ?? "" }

  /// Returns the reason of a failure as a sentence without the names of topics.
  package func phoneReason(_ error: any Error) -> String {
    let text =
      switch error {
      case let failure as NtfyFailure: words.sentence(failure.failure).text
      case let failure as FetchFailure: words.sentence(failure).text
      case let failure as any UserFacingError: failure.sentence
      case _: "\(error)"
      }
    let topics = [NtfyPhone.topic(of: settings.phone.address), settings.phone.buttonTopic].compactMap(\.self)
    return topics.reduce(text) { $0.replacingBytes($1, with: "…") }
  }

  /// Returns the notifications that `NoticeHost` has to send to the phone or withdraw there.
  func phoneNews() throws(StoreFailure) -> Set<HostNews> {
    guard hasPhone else { return [] }
    if try phoneRetry() != nil { return [] }
    let open = try store.phone.endedNotices() + store.notices.unconfirmed(on: .phone).map(\.id)
    return Set(open.map(HostNews.notice)).union(try tellable(.phone).map(HostNews.message))
  }

  /// Returns the time of the next attempt for the phone after failures, or `nil` if nothing has failed.
  package func phoneRetry() throws(StoreFailure) -> Date? {
    hasPhone ? try store.phone.state()?.wait(at: environment.now()) : nil
  }

  /// Reads once which buttons the user pressed on the phone, and performs their actions.
  ///
  /// - Returns: the reason why the presses could not be read, as a sentence, if it is new.
  package func readPhone() async -> String? {
    guard hasPhone else { return nil }
    let transport = LiveTransport(environment.transportOptions(settings))
    var sentence: String?
    do throws(StoreFailure) {
      let failure = try await PhoneDelivery(self, transport: transport).readButtons()
      sentence = failure.map { "the buttons of the phone cannot be read: \(phoneReason($0))" }
    } catch {
      sentence = error.sentence
    }
    await transport.shutdown()
    return sentence
  }
}
