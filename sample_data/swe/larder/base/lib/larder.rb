# frozen_string_literal: true

require 'larder/amount'
require 'larder/list'
