extension Words {
  package static let chineseSimplified = Words(
    language: "zh-Hans", plurals: .none, phrase: { inChineseSimplified($0) },
    commands: Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, inChineseSimplified($0)) }))

  // Long, because it is a table: one line for each phrase.
  static func inChineseSimplified(_ phrase: Phrase) -> String {
    switch phrase {
    case .inbox: "消息中心"
    case .all: "全部"
    case .starred: "星标"
    case .unread: "{1} 条未读"
    case .unreadOnly: "仅未读"
    case .searching: "搜索：{1}"
    case .untitled: "（无标题）"

    case .polled: "上次检查 {1}"
    case .next: "下次 {1}"
    case .firstPoll: "{1} 秒后首次检查"
    case .neverPolled: "尚未检查"
    case .polling: "正在检查"
    case .queued: "等待检查"
    case .notPolled: "由脚本写入"

    case .polls: "检查记录"
    case .noPollsYet: "还没有检查过。"
    case .newMessages: "新增 {1} 条"
    case .changedMessages: "更新 {1} 条"
    case .nothingNew: "没有新消息"
    case .notModified: "没有新消息（304）"
    case .joined: "并入正在进行的检查"
    case .heldBack: "推迟到 {1}：{2}"
    case .problems: "{1} 个问题"
    case .triggerInitial: "启动时"
    case .triggerPeriodic: "定期"
    case .triggerSoft: "查看时"
    case .triggerForced: "强制"

    case .ruleInitialDelay: "启动后的首次检查"
    case .ruleInterval: "按常规间隔"
    case .ruleBackoff: "连续失败 {1} 次，等待时间加长"
    case .ruleGrace: "刚刚检查过"
    case .ruleRetryAfter: "服务器要求等待（{1}）"
    case .ruleMaxAge: "服务器表示在此之前不会有变化"
    case .ruleTTL: "订阅源要求更长的间隔"
    case .ruleSkipHours: "订阅源要求这个时段不检查"
    case .ruleSkipDays: "订阅源要求这一天不检查"
    case .ruleSchedule: "日程的下一项"
    case .ruleGone: "来源已永久失效"
    case .ruleNotPolled: "由脚本写入，无需检查"
    case .shortInitialDelay: "启动"
    case .shortInterval: "间隔"
    case .shortBackoff: "失败 {1} 次后"
    case .shortGrace: "刚检查过"
    case .shortRetryAfter: "服务器要求"
    case .shortMaxAge: "此前不会变化"
    case .shortTTL: "订阅源的节奏"
    case .shortSkipHours: "跳过的时段"
    case .shortSchedule: "日程"
    case .shortSkipDays: "跳过的日子"

    case .refreshNew: "{1} 条新消息"
    case .refreshNothing: "没有新消息"
    case .refreshFailed: "{1}：{2}"
    case .refreshHeldBack: "推迟到 {1}：{2}"
    case .refreshNothingToPoll: "这里无需检查：消息由脚本写入。"
    case .sourcesFailed: "{1} 个来源失败"

    case .emptyList: "还没有消息。"
    case .emptyListHint: "按 {1} 立即检查。"
    case .emptyFailed: "上次检查失败："
    case .emptyLocal: "此列表由脚本写入：reddot push TITLE"
    case .emptyBanners: "横幅来自这里，条件满足时出现：reddot banner explain URL"
    case .emptyUnread: "没有未读消息。"
    case .emptyUnreadHint: "按 {1} 显示全部消息。"
    case .emptySearch: "没有找到匹配的消息。"
    case .emptySearchHint: "按 {1} 结束搜索。"
    case .emptyStarred: "还没有加星标的消息。"
    case .emptyStarredHint: "按 {1} 为消息加星标。"
    case .emptyReader: "按 {1} 阅读消息。"

    case .readerStarred: "已加星标"
    case .readerChanged: "更新于 {1}"
    case .readerTags: "标签：{1}"
    case .readerDetails: "详细信息"
    case .readerImage: "图片"
    case .pictureLoading: "正在加载图片"
    case .pictureFailed: "没有图片：{1}"
    case .pictureUnknownFormat: "它不是 PNG、JPEG、GIF 或 WebP 图像。"
    case .pictureTooLarge: "它超过 2400 万像素。"
    case .pictureNoDecoder: "没有安装绘制图片的 chafa。"
    case .pictureUndecodable: "它已损坏，或者要求过多。"
    case .bannerLoading: "正在加载"
    case .bannerFocus: "阅读"
    case .bannerClose: "关闭"
    case .bannerPress: "按下"
    case .bannerNext: "下一个"
    case .bannerAsks: "打开 {1}？按 {2} 打开。"
    case .bannerUnavailable: "无法加载此视图：{1}"
    case .bannerScriptStopped: "其脚本占用过多时间或内存，已被停止。"
    case .bannerNoEngine: "其脚本无法运行：{1}"
    case .bannerScript: "其脚本出错：{1}"
    case .bannerUnknownView: "没有名为 {1} 的视图。"
    case .bannerFlag: "其脚本的标志 {1} 无法设置。"
    case .bannerEndless: "其视图无休止地互相显示。"
    case .expiresAt: "有效期至 {1}"
    case .detailID: "编号"
    case .detailRemoteID: "来源中的 ID"
    case .detailSource: "来源"
    case .detailKind: "类型"
    case .detailReceived: "接收时间"
    case .detailPriority: "优先级"
    case .detailChannel: "频道"
    case .detailLanguage: "语言"
    case .detailVisibleFrom: "开始显示"
    case .detailCategory: "类别"
    case .detailSound: "提示音"
    case .detailUnknown: "其他字段"
    case .detailCut: "因过大而截短"

    case .allRead: "此列表已全部标为已读。按 {1} 撤销。"
    case .undone: "已撤销：{1}"
    case .nothingToUndo: "没有可撤销的操作。"
    case .undoneRead: "将 {1} 条消息标为已读"
    case .undoneUnread: "将 {1} 条消息标为未读"
    case .undoneStar: "为 {1} 条消息加星标"
    case .undoneUnstar: "取消 {1} 条消息的星标"
    case .undoneDismiss: "清除 {1} 条消息"
    case .undoneSnooze: "推迟了 {1} 条消息"
    case .undoneReadAll: "将整个列表标为已读"
    case .cannotDismiss: "这条消息不能清除：它会保留到过期为止。"
    case .actRefused: "没有任何更改：{1}。"
    case .copyByHand: "无法让此终端复制。请自行选取网址；鼠标由 reddot 使用时，请按住 Shift。"
    case .layingOut: "正在排版"
    case .dismissed: "已清除。按 {1} 恢复。"
    case .noUnreadBelow: "下方没有未读消息。"
    case .noUnreadAbove: "上方没有未读消息。"
    case .noUnreadAtAll: "已全部读完。"
    case .messageGone: "这条消息已不存在。"
    case .opening: "正在打开 {1}"
    case .copied: "已复制 {1}"
    case .noLink: "这条消息没有链接。"
    case .noSuchLink: "没有链接 {1}。"
    case .linkRefused: "只能打开网页和邮件链接，不能打开 {1}"
    case .linkFailed: "未能打开 {1}：{2}"
    case .hookFailed: "未能运行功能开关的程序：{1}"
    case .keyUnknown: "{1} 在这里不起作用。按 {2} 查看按键。"
    case .sourceUnknown: "没有名为 {1} 的来源。"

    case .promptSearch: "搜索："
    case .promptAdd: "地址："
    case .promptLink: "链接："
    case .promptSnooze: "推迟到："
    case .snoozeHint: "2h、evening、tomorrow、monday、fri 9:00；{1} 为一小时"
    case .snoozed: "{1} 再提醒。按 {2} 立即恢复。"
    case .snoozeUnknown: "{1} 不是将来的时间。例如 2h、evening、tomorrow、fri 9:00"
    case .cannotSnooze: "这条消息不能推迟：它会保留到过期为止。"
    case .addHint: "订阅源或含有订阅源的网页；{1} 添加，{2} 取消"
    case .added: "已添加 {1}。"
    case .addedAlready: "{1} 已经添加过了。"
    case .addRefused: "未添加：{1}"
    case .chooseFeed: "此网页提供多个订阅源"
    case .linkHint: "1 到 {1}；enter 打开 {2}"
    case .searchHint: "{1} 保留结果，{2} 取消"

    case .helpMoving: "移动"
    case .helpReading: "阅读"
    case .helpMessages: "消息"
    case .helpLists: "列表和来源"
    case .helpProgram: "程序"
    case .helpCount: "移动键前的数字表示重复次数：5{1}。{2} 前的数字用来选择链接：2{2}。"
    case .helpPrompt: "输入时：ctrl-u 清空，ctrl-w 删除一个词，esc 取消。"
    case .helpMouse: "鼠标：单击选择，双击阅读，滚轮滚动。"

    case .settingsMistake: "设置有误，沿用原设置：{1}"
    case .restartNeeded: "下次启动后生效：{1}"
    case .logFailed: "无法写入日志：{1}"
    case .keyCommandUnknown: "[keys] 中的 {1} 不是命令。"
    case .keyNameUnknown: "[keys] {1}：{2} 不是按键。"
    case .keyDigit: "[keys] {1}：{2} 用于计数，不能作为命令。"
    case .keyClash: "[keys] {1} 同时分配给了 {2} 和 {3}，以 {2} 为准。"

    case .missedBefore: "在此之前还错过了 {1} 条。"

    case .weekdays: "周一 周二 周三 周四 周五 周六 周日"
    case .weekdaysInFull: "星期一 星期二 星期三 星期四 星期五 星期六 星期日"
    case .months, .monthsInFull: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"
    case .dayOfYear: "{2}{1}日"
    case .fullDate: "{4}年{3}{2}日 {1} {5}"
    case .seconds: "{1} 秒"

    case .invalidAddress: "{1} 不是可以检查的地址。"
    case .nameNotFound: "找不到名为 {1} 的服务器。"
    case .refused: "{1} 拒绝了端口 {2} 上的连接。"
    case .unreachable: "无法连接 {1}：{2}。"
    case .timedOut: "{1}内没有响应（{2}）。"
    case .untrusted: "无法与 {1} 建立安全连接：{2}。"
    case .status: "服务器返回：{1} {2}"
    case .gone: "来源已永久失效（410），不再检查。"
    case .askedToWait: "服务器要求等待（{1}）。"
    case .tooLarge: "响应超过了 {1} 的上限。"
    case .cutOff: "响应在收到 {1} 后中断。"
    case .redirectLoop: "地址的重定向超过了 {1} 次。"
    case .badRedirect: "服务器重定向到 {1}，无法跟随。"
    case .notAFeed: "这是 {1}，不是订阅源。"
    case .notAFeedAlternates: "这是 {1}，不是订阅源。它指向 {2}。"
    case .malformed: "无法读取收到的内容：{1}。"
    case .malformedLine: "无法读取收到的内容：第 {1} 行，{2}。"
    case .cursorStuck: "第 {1} 页与前一页重复：订阅源停滞不前。"
    case .file: "无法读取 {1}：{2}。"
    case .credentials: "没有令牌：{1}。"
    case .storage: "无法保存消息：{1}。"
    case .cancelled: "检查已停止。"
    case .stageConnecting: "连接时"
    case .stageHandshake: "协商加密时"
    case .stageWaiting: "等待服务器时"
    case .stageReading: "读取时"
    case .stagePoll: "整个检查过程"

    case .shortAddress: "地址无效"
    case .shortNameNotFound: "找不到服务器"
    case .shortRefused: "连接被拒绝"
    case .shortUnreachable: "无法连接"
    case .shortTimedOut: "超时"
    case .shortUntrusted: "连接不安全"
    case .shortStatus: "状态 {1}"
    case .shortGone: "永久失效"
    case .shortAskedToWait: "要求等待"
    case .shortTooLarge: "内容过大"
    case .shortCutOff: "响应中断"
    case .shortRedirects: "重定向有误"
    case .shortNotAFeed: "不是订阅源"
    case .shortMalformed: "无法读取"
    case .shortCursorStuck: "订阅源停滞"
    case .shortFile: "文件无法读取"
    case .shortCredentials: "没有令牌"
    case .shortStorage: "未能保存"
    case .shortCancelled: "已停止"

    case .welcome: "欢迎使用 reddot"
    case .welcomeBody:
      """
      reddot 定期查看那些无法主动通知你的地方：新闻订阅、团队公告板、构建服务器，还有你自己的脚本。\
      它们带来的消息都留在这一个列表里，直到你读完。红点标出还没有打开过的消息。

      ## 开始

      按 `{1}`，输入订阅源的地址，或者含有订阅源的网页的地址：

          https://www.swift.org/atom.xml

      - 每十分钟检查一次，而且很有礼貌：服务器可以要求更长的间隔，reddot 会照办。
      - 所有内容都保存在本机的一个文件里。reddot 随时可以关闭。

      `{2}` 显示所有按键，`{3}` 退出。下面的消息会再多介绍一些。
      """
    case .welcomeKeys: "几个按键就能阅读"
    case .welcomeKeysBody:
      """
      一个键就能读完所有消息：`{1}` 打开消息，逐页翻阅，然后转到下一条未读消息。

      | 按键 | |
      |---|---|
      | {2} {3} | 向下、向上 |
      | {4} | 阅读 |
      | {5} | 返回 |
      | {6} | 加星标 |
      | {7} | 清除 |
      | {8} | 将整个列表标为已读 |
      | {9} | 撤销刚才的操作 |
      """
    case .welcomeScripts: "你自己的脚本发来的消息"
    case .welcomeScriptsBody:
      """
      任何脚本都可以在这里留下消息：

          reddot run -- make test

      命令提示符或状态栏也可以显示红点：

          reddot status

      `reddot demo` 演示检查是如何进行的，不需要网络，也不需要设置。`reddot --help` 列出其余的命令。
      """
    }
  }

  private static func inChineseSimplified(_ command: Command) -> CommandWords {
    switch command {
    case .down: CommandWords(title: "向下", help: "下一条消息、下一个来源或下一行")
    case .up: CommandWords(title: "向上", help: "上一条消息、上一个来源或上一行")
    case .pageDown: CommandWords(title: "下一页", help: "向下翻一页")
    case .pageUp: CommandWords(title: "上一页", help: "向上翻一页")
    case .halfPageDown: CommandWords(title: "下半页", help: "向下翻半页")
    case .halfPageUp: CommandWords(title: "上半页", help: "向上翻半页")
    case .first: CommandWords(title: "开头", help: "转到最新的消息，或转到开头")
    case .last: CommandWords(title: "末尾", help: "转到最早的消息，或转到末尾")
    case .open: CommandWords(title: "打开", help: "打开来源的列表；阅读消息")
    case .back: CommandWords(title: "返回", help: "返回列表或来源；退出搜索")
    case .nextPane: CommandWords(title: "下一窗格", help: "下一个窗格")
    case .previousPane: CommandWords(title: "上一窗格", help: "上一个窗格")
    case .readOn: CommandWords(title: "继续读", help: "逐页阅读，然后转到下一条未读消息")
    case .nextUnread: CommandWords(title: "下条未读", help: "下一条未读消息")
    case .previousUnread: CommandWords(title: "上条未读", help: "上一条未读消息")
    case .openLink: CommandWords(title: "打开链接", help: "打开消息的链接，或按编号打开其中一个")
    case .copyLink: CommandWords(title: "复制链接", help: "将链接复制到剪贴板")
    case .details: CommandWords(title: "详情", help: "显示或隐藏来源发来的全部信息")
    case .toggleUnread: CommandWords(title: "未读", help: "将消息标为未读或已读")
    case .toggleStar: CommandWords(title: "星标", help: "为消息加星标，或取消星标")
    case .dismiss: CommandWords(title: "清除", help: "清除消息")
    case .snooze: CommandWords(title: "推迟", help: "推迟消息，到时以未读返回")
    case .readAll: CommandWords(title: "全部已读", help: "将此列表全部标为已读")
    case .undo: CommandWords(title: "撤销", help: "撤销刚才的操作，可以连续撤销")
    case .unreadOnly: CommandWords(title: "仅未读", help: "仅显示未读消息，或显示全部")
    case .search: CommandWords(title: "搜索", help: "在此列表中边输入边搜索")
    case .refresh: CommandWords(title: "刷新", help: "立即检查此来源")
    case .refreshAll: CommandWords(title: "全部刷新", help: "立即检查所有来源")
    case .addSource: CommandWords(title: "添加", help: "按地址添加来源")
    case .timeline: CommandWords(title: "检查记录", help: "显示或隐藏检查记录和接下来的检查")
    case .help: CommandWords(title: "帮助", help: "显示或隐藏此帮助")
    case .redraw: CommandWords(title: "重绘", help: "重新绘制屏幕")
    case .suspend: CommandWords(title: "挂起", help: "回到 shell；用 fg 返回")
    case .quit: CommandWords(title: "退出", help: "退出，或关闭最上层的内容")
    }
  }
}
