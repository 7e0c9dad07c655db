package import Messages
import Screen
import Words

package enum ArticleAction: Hashable, Sendable {
  /// The article of the request with this number isn't stored, so a server gets a request for it.
  case requested(Int)
  /// The response to `find`, with its request.
  case answered(ArticleRequest, ArticleAnswer)
}

package enum ArticleEffect: Hashable, Sendable {
  /// Finds an article. The response is `answered`, after `requested` if a server gets a request. A later request ends
  /// an earlier one.
  case find(ArticleRequest)
}

/// The actions and commands for the article of a message, which is the text of the web page that the message links to.
extension AppState {
  mutating func reduce(_ action: ArticleAction) -> [Effect] {
    switch action {
    case .requested(let number): shown.reader.changeArticle { $0.fetchBegan(number) }
    case .answered(let request, let answer):
      var failure: ArticleFailure?
      shown.reader.changeArticle { failure = $0.apply(answer, for: request.number) }
      if let failure { apply(failure) }
    }
    return []
  }

  /// Performs a command for articles; returns `nil` for any other command.
  mutating func performArticles(_ command: Command) -> [Effect]? {
    command == .article ? toggleArticle() : nil
  }

  /// Fetches the article, or switches between it and the message's own text.
  private mutating func toggleArticle() -> [Effect] {
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

  /// Requests the article of the message on screen, for the user.
  private mutating func askForArticle(_ id: MessageID) -> [Effect] {
    guard !shown.reader.article.isAsked else { return [] }
    guard let address = shown.reader.message?.webAddress else {
      apply(ArticleFailure.noAddress)
      return []
    }
    return [ask(id, address, mayFetch: true)]
  }

  /// Requests an article without a further key: the one that the user wanted before the message was loaded,
  /// or that of a message whose source is set to show articles. If such a message is not open but only shown
  /// next to the list, only a stored article is shown.
  mutating func askForWantedArticle() -> [Effect] {
    // The user moved on before the message was loaded.
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

  /// Returns the effect that requests an article, and records the request.
  private mutating func ask(_ id: MessageID, _ address: String, mayFetch: Bool) -> Effect {
    pending.articleRequests += 1
    let request = ArticleRequest(
      number: pending.articleRequests, message: id, address: address, mayFetch: mayFetch)
    shown.reader.changeArticle { $0.ask(request) }
    return .articles(.find(request))
  }

  private mutating func apply(_ failure: ArticleFailure) {
    // This request was ended in favour of another message's.
    if case .fetch(.cancelled, _) = failure { return }
    let sentence = words.sentence(
      failure, open: options.keymap.name(of: .openLink), zone: options.zone)
    report(sentence, .failure)
  }
}
