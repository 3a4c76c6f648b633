# frozen_string_literal: true

module Larder
  # A quantity and its unit.
  class Amount
    FORM = %r{\A(?:(\d+) )?(\d+)(?:/(\d+))?\s*(\S*)\z}

    attr_reader :quantity, :unit

    def initialize(quantity, unit = '')
      @quantity = Rational(quantity)
      @unit = unit
    end

    # The amount that a line of a recipe begins with, such as '1 1/2 cups'.
    def self.parse(text)
      found = FORM.match(text.strip) or raise ArgumentError, "no amount in '#{text}'"
      whole, above, below, unit = found.captures
      new(Rational(above.to_i, (below || 1).to_i) + whole.to_i, unit)
    end

    def scale(factor)
      Amount.new(quantity * factor.to_i, unit)
    end

    def to_s
      whole, part = quantity.divmod(1)
      words = []
      words << whole if whole.positive? || part.zero?
      words << part unless part.zero?
      words << unit unless unit.empty?
      words.join(' ')
    end

    def ==(other)
      other.is_a?(Amount) && quantity == other.quantity && unit == other.unit
    end
  end
end
