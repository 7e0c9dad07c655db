import Formats
import Foundation

/// The messages of an app's team in the demo: one of each kind of in-app notification and APNs payload.
enum DemoCampaign {
  /// The placeholder for the server's own URL.
  static let base = "{server}"

  /// The steps: a feature switch and a greeting, then a downtime, then an alert whose text is named by keys
  /// of the app's strings, then a silent payload.
  static let steps: [DemoStep] = [
    DemoStep(publishes: [
      object(
        #"""
        {"type": "enable-feature", "data": {"feature": "lamp-lights", "since": "4.2"}}
        """#),
      object(
        #"""
        {"type": 2, "poster": "{server}/poster.png", "actiondata": {"translations": {
          "en": {"title": "Happy Diwali 🪔", "msg": "A bright festival of lights to you, from all of us at {{%s}}."},
          "hi": {"title": "दीपावली की शुभकामनाएँ 🪔", "msg": "{{%s}} परिवार की ओर से आपको रोशनी के त्योहार की हार्दिक बधाई।"},
          "zh-Hans": {"title": "排灯节快乐 🪔", "msg": "{{%s}} 全体同仁祝您排灯节快乐，光明常在。"},
          "zh-Hant": {"title": "排燈節快樂 🪔", "msg": "{{%s}} 全體同仁祝您排燈節快樂，光明常在。"},
          "de": {"title": "Frohes Diwali 🪔", "msg": "Ein leuchtendes Lichterfest wünscht {{%s}}."}}}}
        """#),
    ]),
    DemoStep(publishes: [
      object(
        #"""
        {"type": 1, "expiry": "25000millis", "actiondata": {"translations": {
          "en": {"title": "Sign-in is down for maintenance", "msg": "Back in 25 seconds. This notification disappears on its own."},
          "hi": {"title": "रखरखाव के कारण साइन-इन बंद है", "msg": "25 सेकंड में वापस। यह सूचना अपने आप चली जाएगी।"},
          "zh-Hans": {"title": "登录服务正在维护", "msg": "25 秒后恢复。此通知会自行消失。"},
          "zh-Hant": {"title": "登入服務正在維護", "msg": "25 秒後恢復。此通知會自行消失。"}}}}
        """#)
    ]),
    DemoStep(publishes: [
      object(
        #"""
        {"aps": {"alert": {"title-loc-key": "GAME_TITLE", "loc-key": "GAME_INVITE", "loc-args": ["Mina", "Go"]},
          "badge": 3, "sound": "default", "category": "INVITE"}, "game": {"board": 19}}
        """#)
    ]),
    DemoStep(publishes: [object(#"{"aps": {"content-available": 1}, "why": "the scores changed"}"#)]),
  ]

  /// The strings for the alert's keys, by language; the demo writes them as an app's strings.
  static let strings: [String: String] = [
    "en": """
    /* Invitations */
    "GAME_TITLE" = "A game is waiting";
    "GAME_INVITE" = "%1$@ invites you to a game of %2$@.";
    """,
    "hi": """
    "GAME_TITLE" = "एक खेल आपकी प्रतीक्षा में है";
    "GAME_INVITE" = "%1$@ आपको %2$@ खेलने का निमंत्रण देती हैं।";
    """,
    "zh-Hans": """
    "GAME_TITLE" = "有一局棋在等您";
    "GAME_INVITE" = "%1$@ 邀请您下一局 %2$@。";
    """,
    "zh-Hant": """
    "GAME_TITLE" = "有一局棋在等您";
    "GAME_INVITE" = "%1$@ 邀請您下一局 %2$@。";
    """,
  ]

  /// Parses the JSON of an item, which is written in this file. An error in the JSON gives an empty item,
  /// which a test finds.
  private static func object(_ text: String) -> JSONObject {
    (try? JSONReader.parse(Data(text.utf8)).object) ?? JSONObject()
  }
}
