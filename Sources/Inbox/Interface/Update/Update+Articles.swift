import Messages
import Screen
import Words

/// The article of the page behind a message.
extension AppState {
  /// Fetches the article, or switches between it and the message's own text.
  mutating func toggleArticle() -> [Effect] {
    guard let row = single else { return [] }
    guard shown.reader.isComplete, shown.reader.subject == row.id else {
      pending.article = row.id
      return open(row)
    }
    if focus.pane == .messages { setFocus(.reader) }
    let read = self.read(row.id)
    if shown.reader.article.article != nil {
      shown.reader.changeArticle { $0.toggle() }
      return read
    }
    return read + askForArticle(row.id)
  }

  /// Asks for the article of the message on screen, for the person.
  private mutating func askForArticle(_ id: MessageID) -> [Effect] {
    guard !shown.reader.article.isAsked else { return [] }
    guard let address = shown.reader.message?.webAddress else {
      apply(ArticleFailure.noAddress)
      return []
    }
    return [ask(id, address, mayFetch: true)]
  }

  /// What is asked for without a further key: the article that was wanted before the message was loaded, and those of a
  /// source that shows articles; its stored ones beside the list too.
  mutating func askForWantedArticle() -> [Effect] {
    // Somebody went on before it was loaded.
    if pending.article != shown.reader.subject { pending.article = nil }
    guard shown.reader.isComplete, let message = shown.reader.message else { return [] }
    if pending.article == message.id {
      pending.article = nil
      return askForArticle(message.id)
    }
    let isOpen = focus.inner == .reader
    guard shown.reader.article.isUndecided(isOpen: isOpen),
      shown.sources.status(message.source)?.source.showsArticles == true, let address = message.webAddress
    else { return [] }
    return [ask(message.id, address, mayFetch: isOpen)]
  }

  private mutating func ask(_ id: MessageID, _ address: String, mayFetch: Bool) -> Effect {
    pending.articleRequests += 1
    let request = ArticleRequest(
      number: pending.articleRequests, message: id, address: address, mayFetch: mayFetch)
    shown.reader.changeArticle { $0.ask(request) }
    return .findArticle(request)
  }

  mutating func apply(_ answer: ArticleAnswer, for request: ArticleRequest) {
    var failure: ArticleFailure?
    shown.reader.changeArticle { failure = $0.apply(answer, for: request.number) }
    if let failure { apply(failure) }
  }

  private mutating func apply(_ failure: ArticleFailure) {
    // It was ended for the one of another message.
    if case .fetch(.cancelled, _) = failure { return }
    let sentence = words.sentence(
      failure, open: options.keymap.name(of: .openLink), zone: options.zone)
    statusLine.toast = Toast(sentence, .failure)
  }
}
