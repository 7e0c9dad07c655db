import ArgumentParser
import Subscriptions

/// `reddot publisher apns make`
struct APNsMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Print a payload as one line of JSON.",
    discussion: """
      Keys keep Apple's names. FILE contains the same as JSON, with the app's own keys under "extra"; options \
      take precedence. An invalid value is refused with the name of its key, and so is a payload of more than \
      4096 bytes.

      EXAMPLES:
        reddot publisher apns make --alert "Deployed" --sound default
        reddot publisher apns make --title Deployed --extra 'commit="a1b2c3"'
        reddot publisher apns make --loc-key GAME_INVITE --loc-arg Bob --badge 9
        reddot publisher apns make --content-available
        echo '{"alert": "Hi", "extra": {"acme": 1}}' | reddot publisher apns make -
      """)

  @Option(help: ArgumentHelp("The whole alert as one string.", valueName: "text")) var alert: String?
  @Option(help: ArgumentHelp("alert's title.", valueName: "text")) var title: String?
  @Option(help: ArgumentHelp("alert's subtitle.", valueName: "text")) var subtitle: String?
  @Option(help: ArgumentHelp("alert's body.", valueName: "text")) var body: String?
  @Option(help: ArgumentHelp("alert's launch-image.", valueName: "name")) var launchImage: String?
  @Option(help: ArgumentHelp("A key of Localizable.strings for the title.", valueName: "key"))
  var titleLocKey: String?
  @Option(help: ArgumentHelp("Fill the title's %@. Can be repeated.", valueName: "text"))
  var titleLocArg: [String] = []
  @Option(help: ArgumentHelp("A key for the subtitle.", valueName: "key")) var subtitleLocKey: String?
  @Option(help: ArgumentHelp("Fill the subtitle's %@. Can be repeated.", valueName: "text"))
  var subtitleLocArg: [String] = []
  @Option(help: ArgumentHelp("The label of the View button, for websites.", valueName: "text"))
  var action: String?
  @Option(help: ArgumentHelp("A key for the label of the View button.", valueName: "key"))
  var actionLocKey: String?
  @Option(help: ArgumentHelp("A key for the body.", valueName: "key")) var locKey: String?
  @Option(help: ArgumentHelp("Fill the body's %@. Can be repeated.", valueName: "text"))
  var locArg: [String] = []
  @Option(help: ArgumentHelp("The sender in a group's summary.", valueName: "text"))
  var summaryArg: String?
  @Option(help: ArgumentHelp("The number of items that it counts for there.", valueName: "n"))
  var summaryArgCount: String?
  @Option(help: ArgumentHelp("The number on the icon; 0 removes it.", valueName: "n")) var badge: String?
  @Option(help: ArgumentHelp("The name of a sound, or default.", valueName: "name")) var sound: String?
  @Flag(help: "A critical sound.") var critical = false
  @Option(help: ArgumentHelp("The volume of a critical sound, 0 to 1.", valueName: "n")) var volume: String?
  @Flag(help: "Wake the app; silent if given alone.") var contentAvailable = false
  @Option(help: ArgumentHelp("The category, which selects the actions.", valueName: "name")) var category:
    String?
  @Option(
    name: .customLong("thread-id"),
    help: ArgumentHelp("The thread, which groups notifications.", valueName: "id"))
  var threadID: String?
  @Flag(help: "Let an extension change the notification.") var mutableContent = false
  @Option(
    name: .customLong("target-content-id"),
    help: ArgumentHelp("The window to bring forward.", valueName: "id"))
  var targetContentID: String?
  @Option(help: ArgumentHelp("passive, active, time-sensitive or critical.", valueName: "level"))
  var interruptionLevel: String?
  @Option(help: ArgumentHelp("The place in a summary, 0 to 1.", valueName: "n")) var relevanceScore: String?
  @Option(help: ArgumentHelp("The criterion for Focus filters.", valueName: "text")) var filterCriteria:
    String?
  @Option(
    help: ArgumentHelp("Fill a website's address. Can be repeated.", valueName: "text"))
  var urlArg: [String] = []
  @Option(help: ArgumentHelp("Live Activities: the type of the attributes.", valueName: "name"))
  var attributesType: String?
  @Option(help: ArgumentHelp("Live Activities: a JSON object.", valueName: "json")) var attributes: String?
  @Option(help: ArgumentHelp("Live Activities: start, update or end.", valueName: "event")) var event: String?
  @Option(help: ArgumentHelp("Live Activities: seconds since 1970.", valueName: "n")) var timestamp: String?
  @Option(help: ArgumentHelp("Live Activities: a JSON object.", valueName: "json")) var contentState: String?
  @Option(help: ArgumentHelp("Live Activities: seconds since 1970.", valueName: "n")) var staleDate: String?
  @Option(help: ArgumentHelp("Live Activities: seconds since 1970.", valueName: "n"))
  var dismissalDate: String?
  @Flag(help: "Live Activities: the app is to ask for a push token.") var inputPushToken = false
  @Option(help: ArgumentHelp("A key of the app. Can be repeated.", valueName: "key=json"))
  var extra: [String] = []
  @Argument(help: "The payload as JSON, or - for standard input.") var file: String?

  func validate() throws {
    if draft.isEmpty && file == nil {
      throw ValidationError("give options, or a FILE, or - for standard input")
    }
    if draft.saysAlertTwice {
      throw ValidationError("--alert is the whole alert; to give its parts, use --body instead")
    }
  }

  func run() throws {
    try Answer.print(draft.payload(overFile: file))
  }

  private var draft: APNsDraft {
    var draft = APNsDraft()
    draft.alert = alert
    draft.title = title
    draft.subtitle = subtitle
    draft.body = body
    draft.launchImage = launchImage
    draft.titleLocKey = titleLocKey
    draft.titleLocArgs = titleLocArg
    draft.subtitleLocKey = subtitleLocKey
    draft.subtitleLocArgs = subtitleLocArg
    draft.action = action
    draft.actionLocKey = actionLocKey
    draft.locKey = locKey
    draft.locArgs = locArg
    draft.summaryArg = summaryArg
    draft.summaryArgCount = summaryArgCount
    draft.badge = badge
    draft.sound = sound
    draft.isCritical = critical
    draft.volume = volume
    draft.isContentAvailable = contentAvailable
    draft.category = category
    draft.threadID = threadID
    draft.isMutableContent = mutableContent
    draft.targetContentID = targetContentID
    draft.interruptionLevel = interruptionLevel
    draft.relevanceScore = relevanceScore
    draft.filterCriteria = filterCriteria
    draft.urlArgs = urlArg
    draft.attributesType = attributesType
    draft.attributes = attributes
    draft.event = event
    draft.timestamp = timestamp
    draft.contentState = contentState
    draft.staleDate = staleDate
    draft.dismissalDate = dismissalDate
    draft.asksForToken = inputPushToken
    draft.extra = extra
    return draft
  }
}
