/// Pages as they are on the web, in short.
enum ArticlePages {
  static let sentence =
    "The harbour was quiet that morning, and the boats lay on the mud as if the tide had forgotten them. "
  static func text(_ start: String, sentences: Int = 3) -> String {
    start + " " + String(repeating: sentence, count: sentences)
  }

  /// A blog with a sidebar, a share bar, comments and a footer, and without any name for its article.
  static let blog = """
    <!DOCTYPE html><html><head><meta charset="utf-8"><title>Low tide | Ann's notes</title>
    <style>p { color: red }</style></head><body class="single has-sidebar">
    <div id="page"><div class="site-head"><a href="/">Ann's notes</a> <a href="/about">About</a></div>
    <div id="content"><div class="post">
    <h1>Low tide</h1>
    <p class="byline">By Ann, 3 May</p>
    <p>\(text("First paragraph."))</p>
    <h2 id="mud">Mud <a href="#mud">¶</a></h2>
    <p>\(text("Second paragraph with <a href='/tides'>a link</a> and <em>stress</em>."))</p>
    <ul><li>One boat</li><li>Two boats</li></ul>
    <blockquote><p>Short words.</p><footer>— A sailor</footer></blockquote>
    <figure><img src="data:image/gif;base64,AAAA" data-src="/boat.jpg" alt="A boat on the mud"><figcaption>The boat</figcaption></figure>
    <p>\(text("Third paragraph."))</p>
    <p>And that was all.</p>
    <div class="sharedaddy share-buttons"><a href="https://x.example/">Share on X</a> <a href="https://y.example/">Share on Y</a></div>
    <h3>You might also like</h3>
    <ul><li><a href="/1">High tide in the north of the country</a></li><li><a href="/2">Nets and what they catch</a></li></ul>
    </div>
    <div id="comments"><h3>2 comments</h3><p>\(text("A comment longer than the post.", sentences: 12))</p></div>
    </div>
    <div class="sidebar"><h3>About me</h3><p>I write about the sea and about everything that swims in it, in words that nobody asked for, since two thousand and one, mostly at night.</p></div>
    <div class="foot">© 2026 Ann. All rights reserved. <a href="/imprint">Imprint</a></div></div>
    <script>document.write("<p>not text</p>")</script></body></html>
    """

  /// A news site: a header with menus, teasers around and below the article.
  static let news = """
    <html><head><title>Harbour dries out - The Daily</title><meta property="og:title" content="Harbour dries out">
    <base href="https://daily.example/2026/"></head><body>
    <header><nav><ul><li><a href="/world">World</a><li><a href="/sport">Sport</a></ul></nav><form action="/search"><input name="q"><button>Search</button></form></header>
    <main><div class="grid">
    <article class="story"><header><h1>Harbour dries out</h1><p class="lead">\(text("The lead says it all.", sentences: 1))</p><span class="dateline">5 May 2026</span></header>
    <p>\(text("Body one."))</p><aside><h4>Background</h4><p>\(text("An aside."))</p></aside>
    <p>\(text("Body two. See <a href=\"more.html\">the report</a>."))</p>
    <table><tr><th></th><th>High</th><th>Low</th></tr><tr><th>Mon</th><td>4.1 m</td><td>0.3 m</td></tr></table>
    <p>\(text("Body three."))</p></article>
    <section class="more"><h2>More from The Daily</h2>
    \((1...8).map { "<article><h3><a href='/n\($0)'>Teaser number \($0) of the day</a></h3><p>What happened in place \($0), told in a few words only.</p></article>" }.joined())
    </section></div></main><footer>About The Daily. Contact. Privacy.</footer></body></html>
    """

  /// A page of documentation with a menu as long as its text, and code.
  static let docs = """
    <!DOCTYPE html><html><head><title>sort — Manual</title></head><body>
    <div class="wrapper"><div class="menu-left"><ul>\((1...60).map { "<li><a href='f\($0).html'>function_\($0)</a></li>" }.joined())</ul></div>
    <div role="main"><section id="sort"><h1>sort<a class="headerlink" href="#sort">¶</a></h1>
    <p>Sorts an array in place. The order of elements that compare equal stays as it is, which is what most callers expect of it.</p>
    <pre><code>sort(list)
      sort(list, by: &lt;)</code></pre>
    <h2>Parameters</h2>
    <dl><dt><code>by</code></dt><dd>How two elements compare.</dd></dl>
    <p>It takes time in proportion to n log n, and no memory besides the array itself, whatever order the elements come in.</p>
    <pre>a &lt; b</pre></section>
    <div class="nav-below"><a href="p.html">Previous</a> <a href="n.html">Next</a></div></div></div></body></html>
    """

  /// A form to log in.
  static let login = """
    <html><head><title>Log in</title></head><body><div class="top"><a href="/">Home</a></div>
    <form action="/login"><label>Name</label><input name="n"><label>Password</label><input type="password"><button>Log in</button></form>
    <p>Forgot your password? <a href="/reset">Reset it</a>.</p><noscript>Please switch on JavaScript to use this page, which is made of it and does nothing without it, as you see.</noscript>
    </body></html>
    """

  static let chinese = """
    <!DOCTYPE html><html lang="zh"><head><meta charset="utf-8"><title>退潮_海边日报</title></head><body>
    <div class="top"><a href="/">首页</a><a href="/n">新闻</a><a href="/s">体育</a></div>
    <div class="w"><h1>退潮</h1><div class="info">2026年5月3日 来源：海边日报</div>
    <div class="c"><p>　　那天早晨港口很安静，船都躺在泥上，好像潮水把它们忘记了。渔民们坐在岸边抽烟，谁也没有说话，只有海鸥在叫。</p>
    <p>　　到了中午，水还没有回来。老人说他活了八十年，从来没有见过这样的事情，孩子们却高兴地在泥里跑来跑去，捡贝壳和螃蟹。</p></div>
    <div class="xg"><a href="/1">上一篇：涨潮的时候我们在做什么</a><a href="/2">下一篇：渔网和它捕到的东西</a></div></div>
    <div class="foot">版权所有 海边日报</div></body></html>
    """

  /// A page of 1999: tables for the layout, no paragraphs, upper case.
  static let nineties = """
    <HTML><HEAD><TITLE>Bob's boats</TITLE></HEAD><BODY BGCOLOR=white>
    <TABLE WIDTH=600><TR><TD COLSPAN=2><IMG SRC=logo.gif ALT="Bob's boats"></TD></TR>
    <TR><TD WIDTH=150 VALIGN=top><FONT SIZE=2><A HREF=a.html>Home</A><BR><A HREF=b.html>Boats</A><BR><A HREF=c.html>Guestbook</A></FONT></TD>
    <TD><FONT FACE=Arial><B>Building a dinghy</B><BR><BR>\(text("You need wood."))<BR><BR>\(text("You need <I>nails</I> as well."))<BR>
    <A HREF=plan.gif>The plan</A></FONT></TD></TR>
    <TR><TD COLSPAN=2><CENTER><FONT SIZE=1>Best viewed with any browser. <A HREF=mailto:bob@boats.example>Bob</A></FONT></CENTER></TD></TR></TABLE></BODY></HTML>
    """

  static let onlyLinks = """
    <html><head><title>Links</title></head><body><h1>Links</h1><ul>
    \((1...80).map { "<li><a href='http://e.example/\($0)'>A rather long title of a page that somebody liked, number \($0), with a subtitle behind it as well</a></li>" }.joined())
    </ul></body></html>
    """

  /// The whole page is in a form, as some frameworks do, and marks its text with schema.org.
  static let inForm = """
    <html><head><title>Report</title></head><body><form id="aspnetForm"><input type="hidden" value="x">
    <div><div itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">Report</h1>
    <div itemprop="articleBody"><p>Short start.</p><p>\(text("The report."))</p><p>\(text("Its end."))</p><p>Jane.</p></div></div>
    <div><p>\(text("Something else that is long.", sentences: 1))</p></div></div></form></body></html>
    """

  /// Each paragraph is in separate elements, and no element has a name.
  static let divs = """
    <html><head><title>Divs</title></head><body><div><div><div><div>\(text("One."))</div></div><div><div>\(text("Two."))</div></div>
    <div><span>\(text("Three."))</span></div></div></div></body></html>
    """

  static let all = [blog, news, docs, login, chinese, nineties, onlyLinks, inForm, divs]
}
