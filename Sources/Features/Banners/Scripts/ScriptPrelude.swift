import Basics

/// The JavaScript (ES5) that defines the globals for a view's scripts. Every call of a script becomes an entry in a
/// list that the parent reads after each event: the engine's process decides nothing.
///
/// The parent sends the elements (`sync`). Between two syncs, a change is visible in the changed element, and ids in a
/// new `innerHTML` can be found, so that a script can use the elements that it made.
enum ScriptPrelude {
  static let source = #"""
    (function (global) {
      var calls = [], size = { width: 0, height: 0 }, known = Object.create(null), stringify = JSON.stringify;
      function note(call) { if (calls.length < \#(Limits.scriptCalls)) calls[calls.length] = call; }
      function text(value) { return String(value === undefined || value === null ? '' : value); }
      function escaped(value) {
        return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      }
      function plain(html) {
        return html.replace(/<[^>]*>/g, '').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
      }
      function element(id) {
        var click = null, state = { textContent: '', innerHTML: '', hidden: false }, self = {};
        function property(name, set) {
          Object.defineProperty(self, name, {
            enumerable: true, get: function () { return state[name]; }, set: set
          });
        }
        Object.defineProperty(self, 'id', { value: id, enumerable: true });
        property('textContent', function (value) {
          state.textContent = text(value);
          state.innerHTML = escaped(state.textContent);
          note({ call: 'text', id: id, value: state.textContent });
        });
        property('innerHTML', function (value) {
          state.innerHTML = text(value);
          state.textContent = plain(state.innerHTML);
          note({ call: 'html', id: id, value: state.innerHTML });
          learn(state.innerHTML);
        });
        property('hidden', function (value) {
          state.hidden = Boolean(value);
          note({ call: 'hidden', id: id, flag: state.hidden });
        });
        Object.defineProperty(self, 'onclick', {
          enumerable: true,
          get: function () { return click; },
          set: function (value) {
            click = typeof value === 'function' ? value : null;
            note({ call: 'onclick', id: id, flag: click !== null });
          }
        });
        return { self: self, state: state };
      }
      function learn(html) {
        var ids = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi, match, id;
        while ((match = ids.exec(html)) !== null) {
          id = match[1] || match[2] || match[3];
          if (id && !known[id]) known[id] = element(id);
        }
      }
      global.window = global;
      global.document = {
        getElementById: function (id) { return known[text(id)] ? known[text(id)].self : null; }
      };
      global.close = global.dismiss = function () { note({ call: 'close' }); };
      global.display = function (id) { note({ call: 'display', id: text(id) }); };
      global.setFlag = function (name, value) { note({ call: 'setFlag', name: text(name), value: text(value) }); };
      global.openUrl = function (url) { note({ call: 'openUrl', value: text(url) }); };
      global.width = function () { return size.width; };
      global.height = function () { return size.height; };
      var host = {
        begin: function (width, height) { size.width = width; size.height = height; calls = []; },
        sync: function (elements) {
          var before = known, index, told, entry;
          known = Object.create(null);
          for (index = 0; index < elements.length; index++) {
            told = elements[index];
            entry = before[told.id] || element(told.id);
            entry.state.textContent = told.textContent;
            entry.state.innerHTML = told.innerHTML;
            entry.state.hidden = told.hidden;
            known[told.id] = entry;
          }
        },
        run: function (code, id) {
          var self = id !== null && known[id] ? known[id].self : global;
          new Function('event', code).call(self, { type: 'click', target: self });
        },
        click: function (id) {
          var entry = known[id];
          if (entry && entry.self.onclick) entry.self.onclick.call(entry.self, { type: 'click', target: entry.self });
        },
        resize: function () { if (typeof global.onresize === 'function') global.onresize({ type: 'resize' }); },
        end: function () { return stringify(calls); }
      };
      Object.defineProperty(global, '__reddot', { value: Object.freeze(host) });
    })(this);
    """#
}
