extension Words {
  /// In the words of Taiwan, which Hong Kong and Macau read too.
  package static let chineseTraditional = Words(
    language: "zh-Hant", plurals: .none, phrase: { inChineseTraditional($0) },
    commands: Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, inChineseTraditional($0)) }))

  // Long, because it is a table: one line for each phrase.
  static func inChineseTraditional(_ phrase: Phrase) -> String {
    switch phrase {
    case .inbox: "訊息中心"
    case .all: "全部"
    case .starred: "已加星號"
    case .unread: "{1} 則未讀"
    case .unreadOnly: "僅未讀"
    case .searching: "搜尋：{1}"
    case .untitled: "（無標題）"

    case .polled: "上次檢查 {1}"
    case .next: "下次 {1}"
    case .firstPoll: "{1} 秒後首次檢查"
    case .neverPolled: "尚未檢查"
    case .polling: "正在檢查"
    case .queued: "等待檢查"
    case .notPolled: "由腳本寫入"

    case .polls: "檢查記錄"
    case .noPollsYet: "還沒有檢查過。"
    case .newMessages: "新增 {1} 則"
    case .changedMessages: "更新 {1} 則"
    case .nothingNew: "沒有新訊息"
    case .notModified: "沒有新訊息（304）"
    case .joined: "併入正在進行的檢查"
    case .heldBack: "延後到 {1}：{2}"
    case .problems: "{1} 個問題"
    case .triggerInitial: "啟動時"
    case .triggerPeriodic: "定期"
    case .triggerSoft: "檢視時"
    case .triggerForced: "強制"

    case .ruleInitialDelay: "啟動後的第一次檢查"
    case .ruleInterval: "依一般間隔"
    case .ruleBackoff: "連續失敗 {1} 次，等待時間加長"
    case .ruleGrace: "剛剛檢查過"
    case .ruleRetryAfter: "伺服器要求等待（{1}）"
    case .ruleMaxAge: "伺服器表示在此之前不會有變動"
    case .ruleTTL: "訂閱來源要求較長的間隔"
    case .ruleSkipHours: "訂閱來源要求這個時段不檢查"
    case .ruleSkipDays: "訂閱來源要求這一天不檢查"
    case .ruleSchedule: "排程的下一個項目"
    case .ruleGone: "來源已永久失效"
    case .ruleNotPolled: "由腳本寫入，不需檢查"
    case .shortInitialDelay: "啟動"
    case .shortInterval: "間隔"
    case .shortBackoff: "失敗 {1} 次後"
    case .shortGrace: "剛檢查過"
    case .shortRetryAfter: "伺服器要求"
    case .shortMaxAge: "此前不會變動"
    case .shortTTL: "訂閱來源的步調"
    case .shortSkipHours: "略過的時段"
    case .shortSchedule: "排程"
    case .shortSkipDays: "略過的日子"

    case .refreshNew: "{1} 則新訊息"
    case .refreshNothing: "沒有新訊息"
    case .refreshFailed: "{1}：{2}"
    case .refreshHeldBack: "延後到 {1}：{2}"
    case .refreshNothingToPoll: "這裡不需檢查：訊息由腳本寫入。"
    case .sourcesFailed: "{1} 個來源失敗"

    case .emptyList: "還沒有訊息。"
    case .emptyListHint: "按 {1} 立即檢查。"
    case .emptyFailed: "上次檢查失敗："
    case .emptyLocal: "此清單由腳本寫入：reddot push TITLE"
    case .emptyBanners: "橫幅來自這裡，條件符合時出現：reddot banner explain URL"
    case .emptyUnread: "沒有未讀訊息。"
    case .emptyUnreadHint: "按 {1} 顯示所有訊息。"
    case .emptySearch: "找不到符合的訊息。"
    case .emptySearchHint: "按 {1} 結束搜尋。"
    case .emptyStarred: "還沒有加星號的訊息。"
    case .emptyStarredHint: "按 {1} 為訊息加星號。"
    case .emptyReader: "按 {1} 閱讀訊息。"

    case .readerStarred: "已加星號"
    case .readerChanged: "更新於 {1}"
    case .readerTags: "標籤：{1}"
    case .readerDetails: "詳細資訊"
    case .readerImage: "圖片"
    case .pictureLoading: "正在載入圖片"
    case .pictureFailed: "沒有圖片：{1}"
    case .pictureUnknownFormat: "它不是 PNG、JPEG、GIF 或 WebP 圖像。"
    case .pictureTooLarge: "它超過 2400 萬像素。"
    case .pictureNoDecoder: "沒有安裝繪製圖片的 chafa。"
    case .pictureUndecodable: "它已損壞，或者要求過多。"
    case .bannerLoading: "正在載入"
    case .bannerFocus: "閱讀"
    case .bannerClose: "關閉"
    case .bannerPress: "按下"
    case .bannerNext: "下一個"
    case .bannerAsks: "開啟 {1}？按 {2} 開啟。"
    case .bannerUnavailable: "無法載入此檢視：{1}"
    case .bannerScriptStopped: "其指令碼佔用過多時間或記憶體，已被停止。"
    case .bannerNoEngine: "其指令碼無法執行：{1}"
    case .bannerScript: "其指令碼出錯：{1}"
    case .bannerUnknownView: "沒有名為 {1} 的檢視。"
    case .bannerFlag: "其指令碼的旗標 {1} 無法設定。"
    case .bannerEndless: "其檢視無休止地互相顯示。"
    case .expiresAt: "有效至 {1}"
    case .detailID: "編號"
    case .detailRemoteID: "來源中的 ID"
    case .detailSource: "來源"
    case .detailKind: "類型"
    case .detailReceived: "接收時間"
    case .detailPriority: "優先順序"
    case .detailChannel: "頻道"
    case .detailLanguage: "語言"
    case .detailVisibleFrom: "開始顯示"
    case .detailCategory: "類別"
    case .detailSound: "提示音"
    case .detailUnknown: "其他欄位"
    case .detailCut: "因過大而截短"

    case .allRead: "此清單已全部標示為已讀。按 {1} 復原。"
    case .undone: "已復原：{1}"
    case .nothingToUndo: "沒有可以復原的動作。"
    case .undoneRead: "將 {1} 則訊息標示為已讀"
    case .undoneUnread: "將 {1} 則訊息標示為未讀"
    case .undoneStar: "為 {1} 則訊息加星號"
    case .undoneUnstar: "移除 {1} 則訊息的星號"
    case .undoneDismiss: "清除 {1} 則訊息"
    case .undoneSnooze: "延後了 {1} 則訊息"
    case .undoneReadAll: "將整個清單標示為已讀"
    case .cannotDismiss: "這則訊息無法清除：它會保留到過期為止。"
    case .actRefused: "沒有任何變更：{1}。"
    case .copyByHand: "無法讓此終端機複製。請自行選取網址；滑鼠由 reddot 使用時，請按住 Shift。"
    case .layingOut: "正在排版"
    case .dismissed: "已清除。按 {1} 還原。"
    case .noUnreadBelow: "下方沒有未讀訊息。"
    case .noUnreadAbove: "上方沒有未讀訊息。"
    case .noUnreadAtAll: "已全部讀完。"
    case .messageGone: "這則訊息已不存在。"
    case .opening: "正在開啟 {1}"
    case .copied: "已拷貝 {1}"
    case .noLink: "這則訊息沒有連結。"
    case .noSuchLink: "沒有連結 {1}。"
    case .linkRefused: "只能開啟網頁和郵件連結，不能開啟 {1}"
    case .linkFailed: "無法開啟 {1}：{2}"
    case .hookFailed: "未能執行功能開關的程式：{1}"
    case .keyUnknown: "{1} 在這裡沒有作用。按 {2} 查看按鍵。"
    case .sourceUnknown: "沒有名為 {1} 的來源。"

    case .promptSearch: "搜尋："
    case .promptAdd: "網址："
    case .promptLink: "連結："
    case .promptSnooze: "延後到："
    case .snoozeHint: "2h、evening、tomorrow、monday、fri 9:00；{1} 為一小時"
    case .snoozed: "{1} 再提醒。按 {2} 立即恢復。"
    case .snoozeUnknown: "{1} 不是未來的時間。例如 2h、evening、tomorrow、fri 9:00"
    case .cannotSnooze: "這則訊息無法延後：它會保留到過期為止。"
    case .addHint: "訂閱來源或含有訂閱來源的網頁；{1} 加入，{2} 取消"
    case .added: "已加入 {1}。"
    case .addedAlready: "{1} 已經加入過了。"
    case .addRefused: "未加入：{1}"
    case .chooseFeed: "此網頁提供多個訂閱來源"
    case .linkHint: "1 到 {1}；enter 開啟 {2}"
    case .searchHint: "{1} 保留結果，{2} 取消"

    case .helpMoving: "移動"
    case .helpReading: "閱讀"
    case .helpMessages: "訊息"
    case .helpLists: "清單和來源"
    case .helpProgram: "程式"
    case .helpCount: "移動鍵前的數字表示重複次數：5{1}。{2} 前的數字用來選擇連結：2{2}。"
    case .helpPrompt: "輸入時：ctrl-u 清空，ctrl-w 刪除一個詞，esc 取消。"
    case .helpMouse: "滑鼠：按一下選擇，按兩下閱讀，滾輪捲動。"

    case .settingsMistake: "設定有誤，沿用原設定：{1}"
    case .restartNeeded: "下次啟動後生效：{1}"
    case .logFailed: "無法寫入記錄檔：{1}"
    case .keyCommandUnknown: "[keys] 中的 {1} 不是指令。"
    case .keyNameUnknown: "[keys] {1}：{2} 不是按鍵。"
    case .keyDigit: "[keys] {1}：{2} 用於計數，不能當作指令。"
    case .keyClash: "[keys] {1} 同時指定給 {2} 和 {3}，以 {2} 為準。"

    case .missedBefore: "在此之前還錯過了 {1} 則。"

    case .weekdays: "週一 週二 週三 週四 週五 週六 週日"
    case .weekdaysInFull: "星期一 星期二 星期三 星期四 星期五 星期六 星期日"
    case .months, .monthsInFull: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"
    case .dayOfYear: "{2}{1}日"
    case .fullDate: "{4}年{3}{2}日 {1} {5}"
    case .seconds: "{1} 秒"

    case .invalidAddress: "{1} 不是可以檢查的網址。"
    case .nameNotFound: "找不到名為 {1} 的伺服器。"
    case .refused: "{1} 拒絕了連接埠 {2} 的連線。"
    case .unreachable: "無法連線到 {1}：{2}。"
    case .timedOut: "{1}內沒有回應（{2}）。"
    case .untrusted: "無法與 {1} 建立安全連線：{2}。"
    case .status: "伺服器回應：{1} {2}"
    case .gone: "來源已永久失效（410），不再檢查。"
    case .askedToWait: "伺服器要求等待（{1}）。"
    case .tooLarge: "回應超過了 {1} 的上限。"
    case .cutOff: "回應在收到 {1} 後中斷。"
    case .redirectLoop: "網址重新導向超過 {1} 次。"
    case .badRedirect: "伺服器重新導向到 {1}，無法前往。"
    case .notAFeed: "這是 {1}，不是訂閱來源。"
    case .notAFeedAlternates: "這是 {1}，不是訂閱來源。它指向 {2}。"
    case .malformed: "無法讀取收到的內容：{1}。"
    case .malformedLine: "無法讀取收到的內容：第 {1} 行，{2}。"
    case .cursorStuck: "第 {1} 頁與前一頁重複：訂閱來源停滯不前。"
    case .file: "無法讀取 {1}：{2}。"
    case .credentials: "沒有權杖：{1}。"
    case .storage: "無法儲存訊息：{1}。"
    case .cancelled: "檢查已停止。"
    case .stageConnecting: "連線時"
    case .stageHandshake: "協商加密時"
    case .stageWaiting: "等待伺服器時"
    case .stageReading: "讀取時"
    case .stagePoll: "整個檢查過程"

    case .shortAddress: "網址無效"
    case .shortNameNotFound: "找不到伺服器"
    case .shortRefused: "連線遭拒"
    case .shortUnreachable: "無法連線"
    case .shortTimedOut: "逾時"
    case .shortUntrusted: "連線不安全"
    case .shortStatus: "狀態 {1}"
    case .shortGone: "永久失效"
    case .shortAskedToWait: "要求等待"
    case .shortTooLarge: "內容過大"
    case .shortCutOff: "回應中斷"
    case .shortRedirects: "重新導向有誤"
    case .shortNotAFeed: "不是訂閱來源"
    case .shortMalformed: "無法讀取"
    case .shortCursorStuck: "訂閱來源停滯"
    case .shortFile: "檔案無法讀取"
    case .shortCredentials: "沒有權杖"
    case .shortStorage: "未能儲存"
    case .shortCancelled: "已停止"

    case .welcome: "歡迎使用 reddot"
    case .welcomeBody:
      """
      reddot 定期查看那些無法主動通知你的地方：新聞訂閱、團隊公告板、建置伺服器，還有你自己的腳本。\
      它們帶來的訊息都留在這一個清單裡，直到你讀完。紅點標出還沒有打開過的訊息。

      ## 開始

      按 `{1}`，輸入訂閱來源的網址，或是含有訂閱來源的網頁的網址：

          https://www.swift.org/atom.xml

      - 每十分鐘檢查一次，而且很有禮貌：伺服器可以要求較長的間隔，reddot 會照辦。
      - 所有內容都存放在這台電腦的一個檔案裡。reddot 隨時可以關閉。

      `{2}` 顯示所有按鍵，`{3}` 結束。下面的訊息會再多介紹一些。
      """
    case .welcomeKeys: "幾個按鍵就能閱讀"
    case .welcomeKeysBody:
      """
      一個鍵就能讀完所有訊息：`{1}` 開啟訊息，逐頁翻閱，然後前往下一則未讀訊息。

      | 按鍵 | |
      |---|---|
      | {2} {3} | 往下、往上 |
      | {4} | 閱讀 |
      | {5} | 返回 |
      | {6} | 加星號 |
      | {7} | 清除 |
      | {8} | 將整個清單標示為已讀 |
      | {9} | 復原剛才的動作 |
      """
    case .welcomeScripts: "你自己的腳本傳來的訊息"
    case .welcomeScriptsBody:
      """
      任何腳本都可以在這裡留下訊息：

          reddot run -- make test

      命令提示字元或狀態列也可以顯示紅點：

          reddot status

      `reddot demo` 示範檢查是如何進行的，不需要網路，也不需要設定。`reddot --help` 列出其餘的指令。
      """
    }
  }

  private static func inChineseTraditional(_ command: Command) -> CommandWords {
    switch command {
    case .down: CommandWords(title: "往下", help: "下一則訊息、下一個來源或下一行")
    case .up: CommandWords(title: "往上", help: "上一則訊息、上一個來源或上一行")
    case .pageDown: CommandWords(title: "下一頁", help: "往下翻一頁")
    case .pageUp: CommandWords(title: "上一頁", help: "往上翻一頁")
    case .halfPageDown: CommandWords(title: "下半頁", help: "往下翻半頁")
    case .halfPageUp: CommandWords(title: "上半頁", help: "往上翻半頁")
    case .first: CommandWords(title: "開頭", help: "移到最新的訊息，或移到開頭")
    case .last: CommandWords(title: "結尾", help: "移到最舊的訊息，或移到結尾")
    case .open: CommandWords(title: "開啟", help: "開啟來源的清單；閱讀訊息")
    case .back: CommandWords(title: "返回", help: "返回清單或來源；離開搜尋")
    case .nextPane: CommandWords(title: "下個窗格", help: "下一個窗格")
    case .previousPane: CommandWords(title: "上個窗格", help: "上一個窗格")
    case .readOn: CommandWords(title: "繼續讀", help: "逐頁閱讀，然後前往下一則未讀訊息")
    case .nextUnread: CommandWords(title: "下則未讀", help: "下一則未讀訊息")
    case .previousUnread: CommandWords(title: "上則未讀", help: "上一則未讀訊息")
    case .openLink: CommandWords(title: "開啟連結", help: "開啟訊息的連結，或依編號開啟其中一個")
    case .copyLink: CommandWords(title: "拷貝連結", help: "將連結拷貝到剪貼簿")
    case .details: CommandWords(title: "詳細", help: "顯示或隱藏來源傳來的所有資訊")
    case .toggleUnread: CommandWords(title: "未讀", help: "將訊息標示為未讀或已讀")
    case .toggleStar: CommandWords(title: "星號", help: "為訊息加星號，或移除星號")
    case .dismiss: CommandWords(title: "清除", help: "清除訊息")
    case .snooze: CommandWords(title: "延後", help: "延後訊息，到時以未讀返回")
    case .readAll: CommandWords(title: "全部已讀", help: "將此清單全部標示為已讀")
    case .undo: CommandWords(title: "復原", help: "復原剛才的動作，可以連續復原")
    case .unreadOnly: CommandWords(title: "僅未讀", help: "只顯示未讀訊息，或顯示全部")
    case .search: CommandWords(title: "搜尋", help: "在此清單中邊輸入邊搜尋")
    case .refresh: CommandWords(title: "更新", help: "立即檢查此來源")
    case .refreshAll: CommandWords(title: "全部更新", help: "立即檢查所有來源")
    case .addSource: CommandWords(title: "加入", help: "以網址加入來源")
    case .timeline: CommandWords(title: "檢查記錄", help: "顯示或隱藏檢查記錄和接下來的檢查")
    case .help: CommandWords(title: "說明", help: "顯示或隱藏此說明")
    case .redraw: CommandWords(title: "重繪", help: "重新繪製畫面")
    case .suspend: CommandWords(title: "暫停", help: "回到 shell；用 fg 返回")
    case .quit: CommandWords(title: "結束", help: "結束，或關閉最上層的內容")
    }
  }
}
