extension Words {
  package static let hindi = Words(
    language: "hi", plurals: .zeroAndOne, phrase: { inHindi($0) },
    commands: Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, inHindi($0)) }))

  // Long, because it is a table: one line for each phrase. What one of something says is said of 0 too,
  // so that the number stands in both forms.
  static func inHindi(_ phrase: Phrase) -> String {
    switch phrase {
    case .inbox: "इनबॉक्स"
    case .all: "सभी"
    case .starred: "तारांकित"
    case .unread: "{1} अपठित"
    case .unreadOnly: "केवल अपठित"
    case .searching: "खोज: {1}"
    case .untitled: "(बिना शीर्षक)"

    case .polled: "पिछली जाँच {1}"
    case .next: "अगली {1}"
    case .firstPoll: "पहली जाँच {1} सेकंड में"
    case .neverPolled: "अभी तक जाँच नहीं हुई"
    case .polling: "जाँच जारी"
    case .queued: "जाँच की प्रतीक्षा में"
    case .notPolled: "स्क्रिप्ट से भरा"

    case .polls: "जाँच का इतिहास"
    case .noPollsYet: "अभी तक कोई जाँच नहीं हुई।"
    case .newMessages: "{1} नया|{1} नए"
    case .changedMessages: "{1} बदला|{1} बदले"
    case .nothingNew: "कुछ नया नहीं"
    case .notModified: "कुछ नया नहीं (304)"
    case .joined: "चल रही जाँच में शामिल"
    case .heldBack: "{1} तक स्थगित: {2}"
    case .problems: "{1} समस्या|{1} समस्याएँ"
    case .triggerInitial: "शुरू में"
    case .triggerPeriodic: "नियमित"
    case .triggerSoft: "देखने पर"
    case .triggerForced: "तुरंत"

    case .ruleInitialDelay: "शुरू होने के बाद पहली जाँच"
    case .ruleInterval: "सामान्य अंतराल"
    case .ruleBackoff: "{1} विफलता के बाद लंबी प्रतीक्षा|लगातार {1} विफलताओं के बाद लंबी प्रतीक्षा"
    case .ruleGrace: "अभी-अभी जाँच हुई है"
    case .ruleRetryAfter: "सर्वर ने प्रतीक्षा करने को कहा ({1})"
    case .ruleMaxAge: "सर्वर के अनुसार इससे पहले कुछ नहीं बदलेगा"
    case .ruleTTL: "फ़ीड लंबा अंतराल चाहती है"
    case .ruleSkipHours: "फ़ीड इस घंटे जाँच नहीं चाहती"
    case .ruleSkipDays: "फ़ीड इस दिन जाँच नहीं चाहती"
    case .ruleSchedule: "शेड्यूल की अगली प्रविष्टि"
    case .ruleGone: "स्रोत हमेशा के लिए हट गया है"
    case .ruleNotPolled: "इसे स्क्रिप्ट भरती हैं, जाँच नहीं होती"
    case .shortInitialDelay: "शुरुआत"
    case .shortInterval: "अंतराल"
    case .shortBackoff: "{1} विफलता के बाद|{1} विफलताओं के बाद"
    case .shortGrace: "अभी जाँचा"
    case .shortRetryAfter: "सर्वर का अनुरोध"
    case .shortMaxAge: "तब तक ताज़ा"
    case .shortTTL: "फ़ीड की अपनी गति"
    case .shortSkipHours: "छोड़े गए घंटे"
    case .shortSchedule: "शेड्यूल"
    case .shortSkipDays: "छोड़े गए दिन"

    case .refreshNew: "{1} नया संदेश|{1} नए संदेश"
    case .refreshNothing: "कुछ नया नहीं"
    case .refreshFailed: "{1}: {2}"
    case .refreshHeldBack: "{1} तक स्थगित: {2}"
    case .refreshNothingToPoll: "यहाँ कुछ जाँचा नहीं जाता: इसे स्क्रिप्ट भरती हैं।"
    case .sourcesFailed: "{1} स्रोत विफल हुआ|{1} स्रोत विफल हुए"

    case .emptyList: "अभी कोई संदेश नहीं है।"
    case .emptyListHint: "{1} से अभी जाँचें।"
    case .emptyFailed: "पिछली जाँच विफल रही:"
    case .emptyLocal: "यह सूची स्क्रिप्ट भरती हैं: reddot push TITLE"
    case .emptyBanners: "यहाँ से बैनर आते हैं, जब उनकी शर्तें पूरी हों: reddot banner explain URL"
    case .emptyUnread: "कुछ भी अपठित नहीं है।"
    case .emptyUnreadHint: "{1} से सभी संदेश दिखाएँ।"
    case .emptySearch: "कुछ नहीं मिला।"
    case .emptySearchHint: "{1} से खोज समाप्त करें।"
    case .emptyStarred: "अभी कोई तारांकित संदेश नहीं है।"
    case .emptyStarredHint: "{1} से संदेश को तारांकित करें।"
    case .emptyReader: "{1} से संदेश पढ़ें।"

    case .readerStarred: "तारांकित"
    case .readerChanged: "बदलाव: {1}"
    case .readerTags: "टैग: {1}"
    case .readerDetails: "विवरण"
    case .readerImage: "चित्र"
    case .pictureLoading: "चित्र लाया जा रहा है"
    case .pictureFailed: "चित्र नहीं: {1}"
    case .pictureUnknownFormat: "यह PNG, JPEG, GIF या WebP छवि नहीं है।"
    case .pictureTooLarge: "इसमें 2.4 करोड़ से अधिक पिक्सेल हैं।"
    case .pictureNoDecoder: "चित्र बनाने वाला chafa स्थापित नहीं है।"
    case .pictureUndecodable: "यह टूटी हुई है, या बहुत अधिक माँगती है।"
    case .bannerLoading: "लाया जा रहा है"
    case .bannerFocus: "पढ़ें"
    case .bannerClose: "बंद करें"
    case .bannerPress: "दबाएँ"
    case .bannerNext: "अगला"
    case .bannerAsks: "{1} खोलें? {2} से खुलेगा।"
    case .bannerUnavailable: "यह दृश्य नहीं लाया जा सका: {1}"
    case .bannerScriptStopped: "इसकी स्क्रिप्ट ने बहुत समय या स्मृति ली, इसलिए उसे रोक दिया गया।"
    case .bannerNoEngine: "इसकी स्क्रिप्ट नहीं चल सकती: {1}"
    case .bannerScript: "इसकी स्क्रिप्ट विफल रही: {1}"
    case .bannerUnknownView: "{1} नाम का कोई दृश्य नहीं है।"
    case .bannerFlag: "इसकी स्क्रिप्ट का चिह्न {1} नहीं लगाया जा सका।"
    case .bannerEndless: "इसके दृश्य अंतहीन रूप से एक-दूसरे को दिखाते हैं।"
    case .expiresAt: "{1} तक"
    case .detailID: "क्रमांक"
    case .detailRemoteID: "स्रोत में आईडी"
    case .detailSource: "स्रोत"
    case .detailKind: "प्रकार"
    case .detailReceived: "प्राप्त"
    case .detailPriority: "प्राथमिकता"
    case .detailChannel: "चैनल"
    case .detailLanguage: "भाषा"
    case .detailVisibleFrom: "कब से दिखेगा"
    case .detailCategory: "श्रेणी"
    case .detailSound: "ध्वनि"
    case .detailUnknown: "अन्य जानकारी"
    case .detailCut: "बहुत बड़ा, छोटा किया गया"

    case .allRead: "पूरी सूची पठित हो गई। {1} से पूर्ववत करें।"
    case .undone: "पूर्ववत किया गया: {1}"
    case .nothingToUndo: "पूर्ववत करने के लिए कुछ नहीं है।"
    case .undoneRead: "{1} संदेश पठित किया गया|{1} संदेश पठित किए गए"
    case .undoneUnread: "{1} संदेश अपठित किया गया|{1} संदेश अपठित किए गए"
    case .undoneStar: "{1} संदेश तारांकित किया गया|{1} संदेश तारांकित किए गए"
    case .undoneUnstar: "{1} संदेश से तारा हटाया गया|{1} संदेशों से तारा हटाया गया"
    case .undoneDismiss: "{1} संदेश ख़ारिज किया गया|{1} संदेश ख़ारिज किए गए"
    case .undoneSnooze: "{1} संदेश टाला गया|{1} संदेश टाले गए"
    case .undoneReadAll: "पूरी सूची पठित की गई"
    case .cannotDismiss: "इसे ख़ारिज नहीं किया जा सकता: यह अपनी अवधि समाप्त होने तक रहेगा।"
    case .actRefused: "कुछ नहीं बदला: {1}।"
    case .copyByHand: "इस टर्मिनल से कॉपी नहीं करवाया जा सकता। पता ख़ुद चुनें; जब तक माउस reddot के पास है, Shift दबाए रखें।"
    case .layingOut: "पृष्ठ बन रहा है"
    case .dismissed: "ख़ारिज किया गया। {1} से वापस लाएँ।"
    case .noUnreadBelow: "नीचे कुछ भी अपठित नहीं है।"
    case .noUnreadAbove: "ऊपर कुछ भी अपठित नहीं है।"
    case .noUnreadAtAll: "सब कुछ पढ़ लिया गया है।"
    case .messageGone: "यह संदेश अब नहीं है।"
    case .opening: "{1} खोला जा रहा है"
    case .copied: "{1} कॉपी किया गया"
    case .noLink: "इस संदेश में कोई लिंक नहीं है।"
    case .noSuchLink: "लिंक {1} नहीं है।"
    case .linkRefused: "केवल वेब और मेल के लिंक खोले जाते हैं, {1} नहीं"
    case .linkFailed: "{1} नहीं खुला: {2}"
    case .hookFailed: "सुविधा का प्रोग्राम नहीं चला: {1}"
    case .keyUnknown: "{1} यहाँ कुछ नहीं करता। {2} से कुंजियाँ देखें।"
    case .sourceUnknown: "{1} नाम का कोई स्रोत नहीं है।"

    case .promptSearch: "खोजें: "
    case .promptAdd: "पता: "
    case .promptLink: "लिंक: "
    case .promptSnooze: "कब तक: "
    case .snoozeHint: "2h, evening, tomorrow, monday, fri 9:00; {1} यानी एक घंटा"
    case .snoozed: "{1} पर वापस आएगा। {2} से अभी लौटाएँ।"
    case .snoozeUnknown: "{1} आगे का समय नहीं है। जैसे 2h, evening, tomorrow, fri 9:00"
    case .cannotSnooze: "इसे टाला नहीं जा सकता: यह अपनी अवधि समाप्त होने तक रहेगा।"
    case .addHint: "फ़ीड का, या फ़ीड वाले पृष्ठ का; {1} से जोड़ें, {2} से छोड़ें"
    case .added: "{1} जोड़ा गया।"
    case .addedAlready: "{1} पहले से यहाँ है।"
    case .addRefused: "नहीं जोड़ा गया: {1}"
    case .chooseFeed: "इस पृष्ठ पर कई फ़ीड हैं"
    case .linkHint: "1 से {1} तक; enter से {2}"
    case .searchHint: "{1} से रखें, {2} से छोड़ें"

    case .helpMoving: "नेविगेशन"
    case .helpReading: "पढ़ना"
    case .helpMessages: "संदेश"
    case .helpLists: "सूचियाँ और स्रोत"
    case .helpProgram: "प्रोग्राम"
    case .helpCount:
      "नेविगेशन कुंजी से पहले लिखी संख्या उसे दोहराती है: 5{1}। {2} से पहले वह लिंक चुनती है: 2{2}।"
    case .helpPrompt: "लिखते समय: ctrl-u सब मिटाता है, ctrl-w एक शब्द मिटाता है, esc से छोड़ें।"
    case .helpMouse: "माउस: क्लिक से चुनें, डबल-क्लिक से पढ़ें, पहिए से स्क्रॉल करें।"

    case .settingsMistake: "सेटिंग पहले जैसी ही हैं: {1}"
    case .restartNeeded: "अगली बार चालू करने पर लागू होगा: {1}"
    case .logFailed: "लॉग नहीं लिखा जा रहा: {1}"
    case .keyCommandUnknown: "[keys] में {1} कोई कमांड नहीं है।"
    case .keyNameUnknown: "[keys] {1}: {2} कोई कुंजी नहीं है।"
    case .keyDigit: "[keys] {1}: {2} गिनती के लिए है, कमांड नहीं हो सकता।"
    case .keyClash: "[keys] {1} कुंजी {2} और {3} दोनों को दी गई है; वह {2} को मिलती है।"

    case .missedBefore: "इससे पहले {1} और छूट गया।|इससे पहले {1} और छूट गए।"

    case .weekdays: "सोम मंगल बुध गुरु शुक्र शनि रवि"
    case .weekdaysInFull: "सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार"
    case .months: "जन॰ फ़र॰ मार्च अप्रैल मई जून जुल॰ अग॰ सित॰ अक्तू॰ नव॰ दिस॰"
    case .monthsInFull:
      "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्तूबर नवंबर दिसंबर"
    case .dayOfYear: "{1} {2}"
    case .fullDate: "{1}, {2} {3} {4}, {5}"
    case .seconds: "{1} सेकंड|{1} सेकंड"

    case .invalidAddress: "{1} ऐसा पता नहीं है जिसे जाँचा जा सके।"
    case .nameNotFound: "{1} नाम का कोई सर्वर नहीं मिला।"
    case .refused: "{1} ने पोर्ट {2} पर कनेक्शन अस्वीकार किया।"
    case .unreachable: "{1} तक पहुँचा नहीं जा सका: {2}।"
    case .timedOut: "{1} तक कोई उत्तर नहीं मिला ({2})।"
    case .untrusted: "{1} से सुरक्षित कनेक्शन नहीं बना: {2}।"
    case .status: "सर्वर का उत्तर: {1} {2}"
    case .gone: "स्रोत हमेशा के लिए हट गया है (410) और अब जाँचा नहीं जाता।"
    case .askedToWait: "सर्वर ने प्रतीक्षा करने को कहा ({1})।"
    case .tooLarge: "उत्तर {1} की सीमा से बड़ा है।"
    case .cutOff: "उत्तर {1} के बाद टूट गया।"
    case .redirectLoop: "पता {1} से अधिक बार रीडायरेक्ट हुआ।"
    case .badRedirect: "सर्वर {1} पर रीडायरेक्ट करता है, जहाँ जाया नहीं जा सकता।"
    case .notAFeed: "यह {1} है, फ़ीड नहीं।"
    case .notAFeedAlternates: "यह {1} है, फ़ीड नहीं। यह {2} की ओर संकेत करता है।"
    case .malformed: "जो आया उसे पढ़ा नहीं जा सका: {1}।"
    case .malformedLine: "जो आया उसे पढ़ा नहीं जा सका: पंक्ति {1}, {2}।"
    case .cursorStuck: "पृष्ठ {1} पिछले पृष्ठ को दोहराता है: फ़ीड आगे नहीं बढ़ती।"
    case .file: "{1} को पढ़ा नहीं जा सका: {2}।"
    case .credentials: "टोकन नहीं है: {1}।"
    case .storage: "संदेश सहेजे नहीं जा सके: {1}।"
    case .cancelled: "जाँच रोक दी गई।"
    case .stageConnecting: "कनेक्ट करते समय"
    case .stageHandshake: "एन्क्रिप्शन तय करते समय"
    case .stageWaiting: "सर्वर की प्रतीक्षा करते समय"
    case .stageReading: "पढ़ते समय"
    case .stagePoll: "पूरी जाँच में"

    case .shortAddress: "ग़लत पता"
    case .shortNameNotFound: "सर्वर नहीं मिला"
    case .shortRefused: "कनेक्शन अस्वीकृत"
    case .shortUnreachable: "पहुँच से बाहर"
    case .shortTimedOut: "समय समाप्त"
    case .shortUntrusted: "असुरक्षित"
    case .shortStatus: "स्थिति {1}"
    case .shortGone: "हमेशा के लिए हटा"
    case .shortAskedToWait: "प्रतीक्षा का अनुरोध"
    case .shortTooLarge: "बहुत बड़ा"
    case .shortCutOff: "बीच में टूटा"
    case .shortRedirects: "ग़लत रीडायरेक्ट"
    case .shortNotAFeed: "फ़ीड नहीं"
    case .shortMalformed: "पढ़ा नहीं गया"
    case .shortCursorStuck: "फ़ीड अटकी"
    case .shortFile: "फ़ाइल नहीं पढ़ी गई"
    case .shortCredentials: "टोकन नहीं"
    case .shortStorage: "सहेजा नहीं गया"
    case .shortCancelled: "रोका गया"

    case .welcome: "reddot में आपका स्वागत है"
    case .welcomeBody:
      """
      reddot उन्हें जाँचता रहता है जो आपको स्वयं सूचना नहीं दे सकते: समाचार फ़ीड, टीम का बोर्ड, बिल्ड सर्वर, \
      आपकी अपनी स्क्रिप्ट। वे जो लाते हैं वह यहाँ एक ही सूची में रहता है, जब तक आप उसे पढ़ न लें। \
      लाल बिंदु वह दिखाता है जिसे अभी किसी ने नहीं खोला।

      ## शुरुआत

      `{1}` दबाएँ और किसी फ़ीड का, या फ़ीड वाले किसी पृष्ठ का पता दें:

          https://www.swift.org/atom.xml

      - इसे हर दस मिनट पर जाँचा जाता है, शिष्टता से: सर्वर लंबा अंतराल माँग सकते हैं, और वह उन्हें मिलता है।
      - सब कुछ इसी मशीन पर एक फ़ाइल में रखा जाता है। reddot को जब चाहें बंद करें।

      `{2}` से सभी कुंजियाँ देखें, `{3}` से बाहर निकलें। नीचे के संदेश कुछ और बताते हैं।
      """
    case .welcomeKeys: "कुछ ही कुंजियों से पढ़ना"
    case .welcomeKeysBody:
      """
      एक ही कुंजी से सब कुछ पढ़ा जा सकता है: `{1}` संदेश खोलती है, उसके पृष्ठ पलटती है, \
      और फिर अगले अपठित संदेश पर जाती है।

      | कुंजी | |
      |---|---|
      | {2} {3} | नीचे और ऊपर |
      | {4} | पढ़ें |
      | {5} | वापस |
      | {6} | तारांकित करें |
      | {7} | ख़ारिज करें |
      | {8} | पूरी सूची पठित के रूप में चिह्नित करें |
      | {9} | जो किया उसे पूर्ववत करें |
      """
    case .welcomeScripts: "आपकी अपनी स्क्रिप्ट के संदेश"
    case .welcomeScriptsBody:
      """
      कोई भी स्क्रिप्ट यहाँ संदेश छोड़ सकती है:

          reddot run -- make test

      और प्रॉम्प्ट या स्टेटस बार में बिंदु दिखाया जा सकता है:

          reddot status

      `reddot demo` दिखाता है कि जाँच कैसे होती है, बिना नेटवर्क और बिना सेटिंग के। \
      `reddot --help` बाकी कमांड बताता है।
      """
    }
  }

  private static func inHindi(_ command: Command) -> CommandWords {
    switch command {
    case .down: CommandWords(title: "नीचे", help: "अगला संदेश, स्रोत या पंक्ति")
    case .up: CommandWords(title: "ऊपर", help: "पिछला संदेश, स्रोत या पंक्ति")
    case .pageDown: CommandWords(title: "पृष्ठ नीचे", help: "एक पृष्ठ नीचे")
    case .pageUp: CommandWords(title: "पृष्ठ ऊपर", help: "एक पृष्ठ ऊपर")
    case .halfPageDown: CommandWords(title: "आधा नीचे", help: "आधा पृष्ठ नीचे")
    case .halfPageUp: CommandWords(title: "आधा ऊपर", help: "आधा पृष्ठ ऊपर")
    case .first: CommandWords(title: "आरंभ", help: "सबसे नए संदेश पर, या आरंभ में")
    case .last: CommandWords(title: "अंत", help: "सबसे पुराने संदेश पर, या अंत में")
    case .open: CommandWords(title: "खोलें", help: "स्रोत की सूची खोलें; संदेश पढ़ें")
    case .back: CommandWords(title: "वापस", help: "सूची पर या स्रोतों पर वापस; खोज छोड़ें")
    case .nextPane: CommandWords(title: "अगला फलक", help: "अगला फलक")
    case .previousPane: CommandWords(title: "पिछला फलक", help: "पिछला फलक")
    case .readOn:
      CommandWords(title: "आगे पढ़ें", help: "पृष्ठ-दर-पृष्ठ पढ़ें, फिर अगले अपठित संदेश पर जाएँ")
    case .nextUnread: CommandWords(title: "अगला अपठित", help: "अगला अपठित संदेश")
    case .previousUnread: CommandWords(title: "पिछला अपठित", help: "पिछला अपठित संदेश")
    case .openLink:
      CommandWords(title: "लिंक खोलें", help: "संदेश का लिंक खोलें, या संख्या देकर उनमें से कोई एक")
    case .copyLink: CommandWords(title: "लिंक कॉपी", help: "लिंक को क्लिपबोर्ड पर कॉपी करें")
    case .details: CommandWords(title: "विवरण", help: "स्रोत ने जो कुछ भेजा उसे दिखाएँ या छिपाएँ")
    case .toggleUnread: CommandWords(title: "अपठित", help: "संदेश को अपठित या पठित के रूप में चिह्नित करें")
    case .toggleStar: CommandWords(title: "तारा", help: "संदेश को तारांकित करें, या तारा हटाएँ")
    case .dismiss: CommandWords(title: "ख़ारिज", help: "संदेश को ख़ारिज करें")
    case .snooze: CommandWords(title: "टालें", help: "संदेश को टालें; वह अपठित होकर लौटेगा")
    case .readAll: CommandWords(title: "सब पठित", help: "इस सूची के सभी संदेश पठित के रूप में चिह्नित करें")
    case .undo: CommandWords(title: "पूर्ववत", help: "पिछला काम पूर्ववत करें, बार-बार भी")
    case .unreadOnly: CommandWords(title: "केवल अपठित", help: "केवल अपठित संदेश दिखाएँ, या सभी")
    case .search: CommandWords(title: "खोजें", help: "लिखते-लिखते इस सूची में खोजें")
    case .refresh: CommandWords(title: "ताज़ा करें", help: "इस स्रोत को अभी जाँचें")
    case .refreshAll: CommandWords(title: "सब ताज़ा करें", help: "सभी स्रोतों को अभी जाँचें")
    case .addSource: CommandWords(title: "जोड़ें", help: "पते से स्रोत जोड़ें")
    case .timeline: CommandWords(title: "इतिहास", help: "पिछली और आने वाली जाँचें दिखाएँ या छिपाएँ")
    case .help: CommandWords(title: "मदद", help: "यह मदद दिखाएँ या छिपाएँ")
    case .redraw: CommandWords(title: "फिर बनाएँ", help: "स्क्रीन फिर से बनाएँ")
    case .suspend: CommandWords(title: "रोकें", help: "शेल पर वापस; fg से लौटें")
    case .quit: CommandWords(title: "बाहर", help: "बाहर निकलें, या जो सबसे ऊपर है उसे बंद करें")
    }
  }
}
