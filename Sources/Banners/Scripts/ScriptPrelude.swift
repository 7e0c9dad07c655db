/// The globals that a view's scripts see, in ES5. Everything they ask for becomes an entry of a list that the parent
/// reads after each event: the engine's process decides nothing.
enum ScriptPrelude {
  static let source = #"""
    var __reddot = (function (global) {
      var calls = [], size = { width: 0, height: 0 }, known = {};
      function note(call) { if (calls.length < 1000) calls.push(call); }
      function text(value) { return String(value === undefined || value === null ? '' : value); }
      function element(state) {
        var click = null;
        var self = {};
        function property(name, kind, convert) {
          Object.defineProperty(self, name, {
            enumerable: true,
            get: function () { return state[name]; },
            set: function (value) {
              state[name] = convert(value);
              var call = { call: kind, id: state.id };
              if (kind === 'hidden') call.flag = state[name]; else call.value = state[name];
              note(call);
            }
          });
        }
        Object.defineProperty(self, 'id', { value: state.id, enumerable: true });
        property('textContent', 'text', text);
        property('innerHTML', 'html', text);
        property('hidden', 'hidden', Boolean);
        Object.defineProperty(self, 'onclick', {
          enumerable: true,
          get: function () { return click; },
          set: function (value) {
            click = typeof value === 'function' ? value : null;
            note({ call: 'onclick', id: state.id, flag: click !== null });
          }
        });
        return self;
      }
      global.window = global;
      global.document = {
        getElementById: function (id) {
          id = text(id);
          return Object.prototype.hasOwnProperty.call(known, id) ? known[id] : null;
        }
      };
      global.close = global.dismiss = function () { note({ call: 'close' }); };
      global.display = function (id) { note({ call: 'display', id: text(id) }); };
      global.setFlag = function (name, value) { note({ call: 'setFlag', name: text(name), value: text(value) }); };
      global.openUrl = function (url) { note({ call: 'openUrl', value: text(url) }); };
      global.width = function () { return size.width; };
      global.height = function () { return size.height; };
      return {
        begin: function (width, height) { size.width = width; size.height = height; calls = []; },
        load: function (elements) {
          known = {};
          elements.forEach(function (state) { known[state.id] = element(state); });
        },
        run: function (code, id) {
          var self = id !== null && known[id] ? known[id] : global;
          new Function(code).call(self);
        },
        click: function (id) {
          var self = known[id];
          if (self && self.onclick) self.onclick.call(self, { type: 'click', target: self });
        },
        end: function () { return JSON.stringify(calls); }
      };
    })(this);
    """#
}
