import Basics
import Foundation
package import HTTP
package import Markup
package import Messages
import Platform
package import Profile
import Services
import Storage

/// Controls the banners while the inbox runs: judges control files after they are read, shows one banner at a time, and
/// runs the scripts of its views in a separate process.
///
/// Other code sends notices to the stage, which `run` handles in order. The stage sends events through `emit`, never
/// during a call. It stores state and flags itself; the caller opens addresses and draws.
package actor BannerStage {
  /// An input of the stage. `given` is a banner to show without judging, and `question` a task that waits until all
  /// earlier notices are handled.
  private enum Notice: Sendable {
    case controlFileRead(SourceID)
    case given(BannerCandidate)
    case event(ViewEngine.Event)
    case dismissed
    case profileChanged(Profile)
    case question(CheckedContinuation<Void, Never>)
  }

  var profile: Profile
  let route: DefaultRoute
  let fetcher: Fetcher
  /// The threads on which views are parsed and changed, so that a large view does not block other work.
  let threads = WorkThreads()
  let scripts: BannerScripts
  private let versionTime: Duration
  let emit: @Sendable (BannerEvent) -> Void
  private nonisolated let notices: AsyncStream<Notice>
  /// The sending end of the stream of notices that `run` reads.
  private nonisolated let mailbox: AsyncStream<Notice>.Continuation
  /// The sources whose control file was judged in this session.
  private var judged: Set<SourceID> = []
  /// The banners to show after the current one.
  var waiting: [BannerCandidate] = []
  var shown: ShownView?
  /// The number of views that were shown so far. It becomes the number of the newest view.
  var generations = 0
  /// The tasks that `end` waits for.
  private var work: [Int: Task<Void, Never>] = [:]
  /// The number of tasks that were started so far, from which their keys in `work` are made.
  private var works = 0
  var isOver = false

  /// - Parameters:
  ///   - transport: fetches the views; the caller shuts it down after `end`.
  ///   - scripts: the program that runs scripts.
  ///   - route: the network route for `onWifi`.
  ///   - versionTime: the timeout of an `app_version_command`.
  ///   - emit: called with every event, on any thread, in order.
  package init(
    profile: Profile, transport: any HTTPTransport, scripts: BannerScripts,
    route: DefaultRoute = DefaultRoute(), versionTime: Duration = Limits.versionTime,
    emit: @escaping @Sendable (BannerEvent) -> Void
  ) {
    self.profile = profile
    self.route = route
    self.scripts = scripts
    self.versionTime = versionTime
    self.emit = emit
    fetcher = Fetcher(transport: transport)
    (notices, mailbox) = AsyncStream.makeStream(of: Notice.self)
  }

  // MARK: - Notices

  /// Handles notices until `end`.
  package func run() async {
    for await notice in notices { handle(notice) }
  }

  /// Reports to the stage that a poll of this process ended with content or a 304. In a session, only the first valid
  /// control file of each source counts a launch for each of its banners and is judged.
  package nonisolated func controlFileRead(_ source: SourceID) { mailbox.yield(.controlFileRead(source)) }

  /// Shows a banner without judging its conditions; nothing is stored.
  package nonisolated func present(_ show: BannerShow) { mailbox.yield(.given(show.candidate)) }

  /// Reports to the stage that the page was laid out at this size, in points: 8 for a column, 16 for a row. The first
  /// time, the script blocks of the page run.
  package nonisolated func laidOut(width: Double, height: Double) {
    mailbox.yield(.event(.laidOut(width: width, height: height)))
  }

  /// Reports to the stage that a control with code was pressed. The caller opens links itself.
  package nonisolated func press(_ action: ViewControl.Action) { mailbox.yield(.event(.pressed(action))) }

  /// Reports to the stage that the user closed the banner.
  package nonisolated func dismissed() { mailbox.yield(.dismissed) }

  /// Applies changed settings.
  package nonisolated func profileChanged(_ profile: Profile) {
    mailbox.yield(.profileChanged(profile))
  }

  /// Returns when all earlier notices are handled and the tasks that they started have ended, or immediately
  /// if the stage has ended.
  func waitUntilIdle() async {
    await waitUntilRead()
    while let (_, task) = work.first { await task.value }
  }

  /// Returns when all earlier notices were taken from the queue, even if tasks that they started still run.
  func waitUntilRead() async {
    await withCheckedContinuation { continuation in
      if case .terminated = mailbox.yield(.question(continuation)) { continuation.resume() }
    }
  }

  /// Ends scripts and fetches, and waits for pending writes. The current event of a script is finished first, since it
  /// belongs to a key press of the user.
  package func end() async {
    mailbox.finish()
    waiting = []
    shown?.events = []
    if let worker = shown?.worker { await worker.value }
    isOver = true
    lower()
    for task in work.values { task.cancel() }
    while let (_, task) = work.first { await task.value }
  }

  /// Handles one notice.
  private func handle(_ notice: Notice) {
    if case .question(let continuation) = notice { return continuation.resume() }
    if isOver { return }
    switch notice {
    case .question: break
    case .controlFileRead(let id): judge(id)
    case .given(let candidate):
      waiting.append(candidate)
      raiseNext()
    case .event(let event): happened(event)
    case .dismissed: if shown?.isRaised == true { close() }
    case .profileChanged(let profile): self.profile = profile
    }
  }

  // MARK: - Judging

  /// Judges the control file of a source, unless that was done in this session.
  private func judge(_ id: SourceID) {
    guard let source = profile.sources.first(where: { $0.id == id }), source.kind == .banners,
      judged.insert(id).inserted
    else { return }
    let judgement = BannerJudgement(profile: profile, route: route, versionTime: versionTime)
    start { stage in
      do throws(StoreFailure) {
        let result = try await judgement.run(source)
        await stage.judged(source, result)
      } catch {
        await stage.failedToJudge(source, error)
      }
    }
  }

  /// Handles the result of judging a source's control file: the banner to show, if any, is shown or waits for
  /// its turn.
  private func judged(_ source: Source, _ result: BannerJudgement.Result) {
    // Without a valid copy, nothing was counted: the next read counts.
    if result.file == nil { judged.remove(source.id) }
    send(result.versionFailure.map { .noAppVersion(source: source.name, reason: $0) })
    guard let candidate = result.candidate, !isOver else { return }
    waiting.append(candidate)
    raiseNext()
  }

  /// Reports that a control file could not be judged, so that it is judged again after the next poll.
  private func failedToJudge(_ source: Source, _ failure: StoreFailure) {
    judged.remove(source.id)
    send(.storageFailed(failure))
  }

  /// Starts a task that `end` waits for.
  @discardableResult
  func start(_ body: @escaping @Sendable (BannerStage) async -> Void) -> Task<Void, Never> {
    works += 1
    let number = works
    let task = Task {
      await body(self)
      work[number] = nil
    }
    work[number] = task
    return task
  }

  /// Sends an event to the inbox, unless the stage has ended.
  func send(_ event: BannerEvent?) {
    if let event, !isOver { emit(event) }
  }
}
