import Basics
import Formats
import Messages
package import Queries
import Services

/// `[phone]`: notifications on a phone, through a topic of an ntfy server.
package struct PhoneOptions: Hashable, Sendable {
  /// The part of a message that is sent to the server.
  package enum Show: String, Hashable, Sendable, CaseIterable {
    case number, title, all
  }

  /// The URL of the topic; empty for none.
  package var address = ""
  /// The user name that belongs to the token, if the token is a password.
  package var user: String?
  package var credential: CredentialOrigin?
  /// A file of certificates (PEM) that are trusted in addition to the system's.
  package var caFile: String?
  package var show = Show.title
  /// The query that selects the notifications for the phone.
  package var allow: Query? = standardAllow
  /// Whether notifications have the buttons Read and Later.
  package var hasButtons = true
  /// Whether the answers to questions of `reddot ask` are buttons.
  package var givesAnswers = false
  /// The topic of the buttons, or `nil` for a name that is derived from the key of the database.
  package var buttonTopic: String?

  package init() {}

  private static let standardAllow = try? Query.parse("priority>=4 OR is:waiting", .strict).get()
}

extension PhoneOptions.Show: SettingValue {}

extension PhoneOptions: SettingsRoot {
  static let standard = PhoneOptions()
  static let places = [Setting.Place.phone]

  static let rows =
    ownRows + CredentialOrigin.rows(\.credential, describedBy: "as in `[[source]]`") + otherRows

  private static let ownRows: [SettingRow<PhoneOptions>] = [
    SettingRow(
      "url", .text, \.address, else: Setting.required, example: "\"https://ntfy.example/k3v9wq2mznt8\"",
      "URL of the topic that the phone follows, http or https"
    ),
    SettingRow(
      "user", .text, \.user, else: "none", example: "\"ann\"",
      "name that belongs to the token, if that is a password"),
  ]

  private static let otherRows: [SettingRow<PhoneOptions>] = [
    SettingRow(
      "ca_file", .path, \.caFile, else: "none", example: "\"~/team-ca.pem\"",
      "as in `[[source]]`"),
    SettingRow(
      "show", .choice(Show.allCases.map(\.rawValue)), \.show,
      "parts of a message that the server and the lock screen learn: `number`, `title` (with the source), or `all`"
    ),
    SettingRow(
      Setting(
        key: "allow", places: places, form: .query, standard: "`\"priority>=4 OR is:waiting\"`",
        example: "\"priority>=4 OR is:waiting\"",
        help: "query that selects the notifications for the phone"),
      \.allow, read: { $0.query($1).map(Optional.some) }, toml: { $0.map { TOMLText.quoted($0.text) } }),
    SettingRow(
      "buttons", .boolean, \.hasButtons,
      "add the buttons Read and Later, which anyone who can read the topic can press"
    ),
    SettingRow(
      "answers", .boolean, \.givesAnswers,
      """
      add the answers of a question of `reddot ask` as buttons, for 10 minutes: anyone who can read the topic can press them, the \
      server too; permissions of programs have none
      """
    ),
    SettingRow(
      "button_topic", .text, \.buttonTopic, else: "a name that only this database knows",
      example: "\"k3v9-buttons\"",
      "topic that the buttons write to, without a login"),
  ]
}

extension SettingsReader {
  func readPhone(_ root: SettingsTable, into settings: inout Settings) {
    guard let table = root.table(.phone) else {
      if settings.telling.channels.contains(.phone) {
        root.report("notify_via", "\"phone\" needs a table [phone] with the url of a topic")
      }
      return
    }
    var options = PhoneOptions()
    table.read(PhoneOptions.rows, in: .phone, into: &options)
    checkCredential(table)
    if !table.has("url") {
      table.report("", "needs a url, such as url = \"https://ntfy.example/k3v9wq2mznt8\"")
    } else if table.gave("url") {
      if let address = SourceAddress.normalized(options.address, home: home), SourceAddress.isWeb(address),
        NtfyPhone.topic(of: address) != nil
      {
        options.address = address
      } else {
        table.report(
          "url",
          "must be the http or https address of one topic, such as \"https://ntfy.example/k3v9wq2mznt8\"")
      }
    }
    if let topic = options.buttonTopic {
      if !NtfyPhone.isTopic(topic) {
        table.report("button_topic", "must be 1 to 64 letters, digits, - or _")
      } else if topic == NtfyPhone.topic(of: options.address) {
        table.report("button_topic", "must be another topic than that of the url")
      }
    }
    table.finish()
    root.absorb(table)
    settings.phone = options
  }
}
