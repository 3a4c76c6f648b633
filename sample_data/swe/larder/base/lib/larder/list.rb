# frozen_string_literal: true

module Larder
  # What has to be bought, by name.
  class List
    def initialize
      @wanted = Hash.new { |wanted, name| wanted[name] = [] }
    end

    # Puts an amount of something on the list, with others of the same unit.
    def add(name, amount)
      same = @wanted[name].find { |other| other.unit == amount.unit }
      @wanted[name].delete(same)
      sum = same ? Amount.new(same.quantity + amount.quantity, amount.unit) : amount
      @wanted[name] << sum
      self
    end

    def lines
      @wanted.sort.map { |name, amounts| "#{name}: #{amounts.join(' and ')}" }
    end
  end
end
