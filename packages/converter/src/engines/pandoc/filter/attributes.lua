-- Attributes that load or run something go, and links that run something become plain text.

local withoutSpans = require 'spans'
local words = require 'words'

local safeSchemes = words 'http https mailto tel ftp ftps doi news irc geo sms xmpp'
local loadingAttributes = words [[
  src srcset poster background data action formaction ping manifest srcdoc xlink:href data-src usemap longdesc
  codebase classid archive profile icon lowsrc dynsrc original-image-src
]]

local function isSafeTarget(url)
  local scheme = url:gsub('[%c%s]', ''):lower():match('^([%a][%w+.-]*):')
  return scheme == nil or safeSchemes[scheme]
end

local function isSafeAttribute(name, value)
  name = name:lower()
  if name:sub(1, 2) == 'on' or name:sub(1, 7) == 'data-on' or loadingAttributes[name] then return false end
  if name ~= 'style' then return true end
  local plain = withoutSpans(value:lower(), '/*', '*/')
  return not (plain:find('\\', 1, true) or plain:find('url', 1, true) or plain:find('import', 1, true) or plain:find('expression', 1, true))
end

local function safeAttributes(element)
  local kept, count = {}, 0
  for name, value in pairs(element.attributes) do
    count = count + 1
    if isSafeAttribute(name, value) then kept[#kept + 1] = { name, value } end
  end
  if #kept == count then return nil end
  element.attributes = kept
  return element
end

local function safeLink(link)
  if not isSafeTarget(link.target) then return link.content end
  return safeAttributes(link)
end

return { isSafeTarget = isSafeTarget, safeAttributes = safeAttributes, safeLink = safeLink }
