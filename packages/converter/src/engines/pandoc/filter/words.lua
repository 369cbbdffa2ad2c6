-- A set of the words in a text.
return function(text)
  local set = {}
  for word in text:gmatch('%S+') do set[word] = true end
  return set
end
