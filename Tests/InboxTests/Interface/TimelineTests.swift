import Basics
import Foundation
import Messages
import Testing

@testable import Interface

/// The columns of the timeline, at usual sizes of terminals.
@Suite struct TimelineTests {
  private static let names = ["The terminal blog", "Inbox (builds)", "Team news", "The app", "campaigns"]

  /// Five sources with a coming poll each, and polls with these results.
  private static func stage(_ columns: Int, _ rows: Int, _ results: [PollAttempt.Result]) -> Stage {
    var stage = Stage(columns: columns, rows: rows, timeline: true)
    stage.outside { store in
      store.messages = []
      store.sources = []
      for name in names { store.addSource(name) }
    }
    for place in names.indices {
      let next = ModelStore.start + 10 + Double(place)
      stage.send(.polling(.changed([SourceID(Int64(place + 1)): SourcePolling(next: next, rule: .interval)])))
    }
    stage.send(
      .polling(
        .timelineLoaded(
          nil,
          results.enumerated().map { place, result in
            let end = ModelStore.start - Double(place)
            return PollAttempt(
              source: SourceID(Int64(place % names.count + 1)), trigger: .soft, start: end, end: end,
              result: result)
          })))
    return stage
  }

  private static let news = PollAttempt.Result.new(count: 2, updated: 0)
  private static let held = PollAttempt.Result.heldBack(until: ModelStore.start + 2, rule: .grace)

  /// The lines of the pane, without its rule.
  private func lines(_ stage: Stage) -> [String] {
    Array(stage.lines.drop { !$0.contains(" Polls ") }.dropFirst().dropLast())
  }

  @Test(arguments: [[PollAttempt.Result](), [news, news]])
  func besideEachOtherNoNameIsCut(results: [PollAttempt.Result]) {
    let stage = Self.stage(120, 40, results)
    for (place, name) in Self.names.enumerated() {
      let line = lines(stage)[place]
      #expect(line.hasSuffix("next 14:00:1\(place) · interval"), "\(stage.screen)")
      #expect(line.dropFirst(40).contains("\(name)  "), "\(stage.screen)")
    }
  }

  @Test func aLongLineTakesTheWholeWidthAndAllComingPollsStandAboveWhereThereIsRoom() {
    let stage = Self.stage(120, 40, [Self.held, Self.news])
    let shown = lines(stage).filter { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
    #expect(shown.count == 7, "\(stage.screen)")
    for (line, name) in zip(shown, Self.names) { #expect(line.hasPrefix(" \(name)  "), "\(stage.screen)") }
    #expect(shown[5].hasSuffix("The terminal blog  refresh   … held back until 14:00:02: just polled"))
  }

  @Test func whereThereIsNotThreeComingPollsStandAbove() {
    let stage = Self.stage(80, 24, Array(repeating: Self.news, count: 20))
    let shown = lines(stage)
    #expect(shown.filter { $0.contains("next 14:00:1") }.count == 3, "\(stage.screen)")
    #expect(shown.filter { $0.contains("2 new") }.count == shown.count - 3)
  }

  /// At any width, a line that is too long is marked as cut.
  @Test(arguments: 30...130) func whatDoesNotFitEndsWithAnEllipsis(columns: Int) {
    let stage = Self.stage(columns, 40, [Self.held, Self.news, .failed(.nameNotFound(host: "x"))])
    for line in lines(stage) where line.contains("held back") {
      #expect(line.contains("just polled") || line.hasSuffix("…"), "\(stage.screen)")
    }
  }

  /// A refresh of many sources that was held back is shown but not stored, so the store's response does not contain it.
  @Test func resultsDuringAReadOfTheTimelineStay() throws {
    var stage = Stage(columns: 150, rows: 40)
    try stage.press("p")
    func attempt(_ start: Double, _ result: PollAttempt.Result) -> PollAttempt {
      PollAttempt(
        source: SourceID(1), trigger: .soft, start: ModelStore.start + start, end: ModelStore.start + start,
        result: result)
    }
    stage.send(.polling(.attempted(attempt(1, .started))))
    stage.send(.polling(.attempted(attempt(1, Self.news))))
    stage.send(.polling(.attempted(attempt(2, Self.held))))
    stage.send(.polling(.timelineLoaded(nil, [attempt(1, Self.news)])))
    #expect(stage.state.shown.timeline.attempts == [attempt(2, Self.held), attempt(1, Self.news)])
    stage.send(.polling(.timelineLoaded(nil, [attempt(1, Self.news)])))
    #expect(stage.state.shown.timeline.attempts == [attempt(1, Self.news)])
  }

  /// A read of the store that fails has no answer.
  @Test func whileTheAnswerIsMissingOnlyTheNewestPollsAreKept() throws {
    var stage = Stage(columns: 150, rows: 40)
    try stage.press("p")
    let attempts = (1...2000).map { number in
      PollAttempt(
        source: SourceID(1), trigger: .periodic, start: ModelStore.start + Double(number),
        end: ModelStore.start + Double(number), result: Self.news)
    }
    for attempt in attempts { stage.send(.polling(.attempted(attempt))) }
    #expect((stage.state.shown.timeline.addedSinceAsked?.count ?? 0) <= 2 * Timeline.mostShown)
    stage.send(.polling(.timelineLoaded(nil, [])))
    #expect(stage.state.shown.timeline.attempts == attempts.reversed().prefix(Timeline.mostShown).map { $0 })
  }

  @Test func theLastPollCanBeScrolledTo() throws {
    var stage = Self.stage(80, 24, Array(repeating: Self.news, count: 30))
    let end = ModelStore.start - 29
    #expect(WallTime(end, in: Stage.utc).clockWithSeconds == "13:59:31")
    for _ in 0..<4 where stage.state.focus.pane != .timeline { try stage.press("tab") }
    try stage.press("G")
    #expect(lines(stage).last?.contains("13:59:31") == true, "\(stage.screen)")
  }
}
