import Basics
import Markup
import Messages
import Screen
import Words

/// The pictures in the text of the message being read: which are fetched next, and their rows.
///
/// Only those near the visible lines are fetched, a few at a time and one from each server, while the message is open.
struct ReaderPictures: Hashable, Sendable {
  /// The pictures in the order in which they appear in the text.
  private var slots: [PictureSlot] = []
  /// Requests without a response, including those whose size is no longer wanted.
  private var underWay: [PictureRequest] = []
  /// Requests whose response is no longer needed.
  private var dropped: [PictureRequest] = []
  /// The index of the first picture that could not be drawn because the program for it is not installed. Only that
  /// picture shows the reason.
  private var undrawable: Int?
  /// Whether the message is open, so that pictures are fetched.
  private(set) var isOpen = false
  /// The maximum number of rows of a picture.
  private var rows = 0

  /// The minimum width of the text for a picture, in columns.
  private static let leastColumns = 10
  /// The minimum number of rows of the reader for pictures.
  private static let leastRows = 6
  /// The maximum number of rows of a picture, regardless of the reader's height.
  private static let mostRows = 24
  /// The size of a terminal cell in pixels, for pictures whose size in pixels is known.
  private static let cell = (width: 8, height: 16)

  /// Resets the state for another message, or another text.
  mutating func reset() {
    dropped += underWay
    slots = []
    underWay = []
    undrawable = nil
  }

  /// Records whether the message is open, and the height of its pane.
  ///
  /// - Parameter visible: the rows of the pane.
  /// - Returns: whether the lines of the reader change.
  mutating func setOpen(_ isOpen: Bool, visible: Int) -> Bool {
    let rows = visible < Self.leastRows ? 0 : min(Self.mostRows, visible / 2)
    guard isOpen != self.isOpen || rows != self.rows else { return false }
    self.isOpen = isOpen
    self.rows = rows
    guard !isOpen else { return true }
    // Pictures that have not arrived are requested when the message is opened again.
    for index in slots.indices where slots[index].request.map(underWay.contains) == true {
      slots[index].forgetRequest()
    }
    dropped += underWay
    underWay = []
    return true
  }

  /// Removes and returns the requests that are to be cancelled.
  mutating func removeDropped() -> [PictureRequest] {
    defer { dropped = [] }
    return dropped
  }

  // MARK: Asking

  /// Chooses the next pictures to fetch, and records their requests.
  ///
  /// - Parameters:
  ///   - places: the positions of the message's pictures in the lines of the reader.
  ///   - window: the visible lines.
  ///   - busy: the host from which another picture is being fetched.
  /// - Returns: the requests to send now.
  mutating func want(_ places: [PicturePlace], window: Range<Int>, busy: String?) -> [PictureRequest] {
    guard isOpen, rows > 0, undrawable == nil, underWay.count < Limits.picturesAtOnce else { return [] }
    let near = places.prefix(Limits.messagePictures).enumerated().compactMap { index, place in
      let distance = Self.distance(place.line, window)
      return distance <= window.count ? (index: index, place: place, distance: distance) : nil
    }
    var wanted: [PictureRequest] = []
    for (index, place, _) in near.sorted(by: { ($0.distance, $0.index) < ($1.distance, $1.index) }) {
      guard underWay.count < Limits.picturesAtOnce else { break }
      while slots.count <= index { slots.append(PictureSlot()) }
      guard let box = box(place), slots[index].failure == nil else { continue }
      let request = PictureRequest(
        address: place.picture.address, columns: box.columns, rows: box.rows, isInText: true)
      // The same picture may appear twice.
      if let twin = underWay.firstIndex(of: request) {
        _ = slots[index].want(underWay[twin])
        continue
      }
      let host = HostName.of(request.address)
      guard slots[index].request != request, host == nil || host != busy,
        !underWay.contains(where: { HostName.of($0.address) == host }),
        let new = slots[index].want(request)
      else { continue }
      underWay.append(new)
      wanted.append(new)
    }
    return wanted
  }

  private static func distance(_ line: Int, _ window: Range<Int>) -> Int {
    line < window.lowerBound ? window.lowerBound - line : max(0, line - window.upperBound + 1)
  }

  /// Stores the response to a request.
  ///
  /// - Returns: whether the lines of the reader change.
  mutating func apply(_ answer: PictureAnswer, for request: PictureRequest) -> Bool {
    guard let known = underWay.firstIndex(of: request) else { return false }
    if case .draft = answer {} else { underWay.remove(at: known) }
    var changes = false
    for index in slots.indices where slots[index].request == request {
      changes = slots[index].apply(answer, for: request) || changes
      if slots[index].failure == .noDecoder { undrawable = undrawable ?? index }
    }
    return changes
  }

  // MARK: Rows

  /// Returns the maximum size of a picture, in cells, or `nil` if there is no room.
  private func box(_ place: PicturePlace) -> (columns: Int, rows: Int)? {
    guard place.columns >= Self.leastColumns, rows > 0 else { return nil }
    let (width, height) = (place.picture.width, place.picture.height)
    guard let width, let height else {
      return (
        min(place.columns, width.map { Self.cells($0, Self.cell.width) } ?? .max),
        min(rows, height.map { Self.cells($0, Self.cell.height) } ?? .max)
      )
    }
    let scale = min(
      1, Double(place.columns * Self.cell.width) / Double(width),
      Double(rows * Self.cell.height) / Double(height))
    func cells(_ pixels: Int, _ side: Int) -> Int {
      max(1, Int((Double(pixels) * scale / Double(side)).rounded()))
    }
    return (cells(width, Self.cell.width), cells(height, Self.cell.height))
  }

  private static func cells(_ pixels: Int, _ side: Int) -> Int { max(1, (pixels + side - 1) / side) }

  /// Returns the rows for a picture: the drawn ones, or empty ones if its size is known and it may still arrive, or the
  /// reason why no picture can be drawn.
  func rows(at index: Int, _ place: PicturePlace, words: Words) -> [StyledText] {
    guard index < Limits.messagePictures else { return [] }
    let slot = slots.indices.contains(index) ? slots[index] : PictureSlot()
    if let drawn = slot.drawn(columns: place.columns) {
      return drawn.map { place.margin + $0.linked(place.link) }
    }
    if index == undrawable, let failure = slot.failure {
      return StyledText(words.sentence(failure), style: Palette.quiet).wrapped(to: place.columns).map {
        place.margin + $0
      }
    }
    guard isOpen, slot.failure == nil, undrawable == nil, place.picture.width != nil,
      place.picture.height != nil, let box = box(place)
    else { return [] }
    return Array(repeating: place.margin, count: box.rows)
  }
}
