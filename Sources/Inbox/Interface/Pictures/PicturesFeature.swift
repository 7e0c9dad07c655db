package enum PictureAction: Hashable, Sendable {
  /// The response to `draw`, with its request.
  case answered(PictureRequest, PictureAnswer)
}

package enum PictureEffect: Hashable, Sendable {
  /// Draws a picture. The response is `answered`.
  case draw(PictureRequest)
  /// Cancels requests for pictures, since the user has left their message.
  case cancel([PictureRequest])
}

/// The pictures of the message that is read, and of a banner's view.
extension AppState {
  mutating func reduce(_ action: PictureAction) -> [Effect] {
    switch action {
    case .answered(let request, let answer):
      shown.reader.apply(answer, for: request)
      shown.banner?.apply(answer, for: request)
    }
    return []
  }
}
